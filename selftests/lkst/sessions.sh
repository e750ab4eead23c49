#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: time=300
# The sessions on the page about triggers go as they stand there. A literal block's
# lines that begin with "# " are commands, one shell runs them all, and the lines
# below one are what it prints: "..." in a line is any text, a line of it alone any
# lines. One result for each block.

. ./functions.sh
page=${1:-lkst-triggers.rst}
[ -e "$page" ] || skip "no $page"
PATH=$PWD:$PATH

# blocks TELL: for each line of a session, by its kind, what the function does.
blocks() {
	awk '
	/^[^ ]/ { if (inside) { inside = 0 } }
	/::$/ { literal = 1; inside = 0; next }
	literal && /^    # / {
		if (!inside) { inside = 1; block++ }
		command++
		print "command", block, command, substr($0, 7)
		next
	}
	inside && /^    / { print "output", block, command, substr($0, 5) }
	/^[^ ]/ { literal = 0 }' "$page"
}

blocks >/tmp/lines
plan "$(awk 'END { print $2 }' /tmp/lines)"
awk '$1 == "command" {
	n = $3
	sub(/^[^ ]* [^ ]* [^ ]* /, "")
	print "echo \"@@ " n "\""
	print
}' /tmp/lines >/tmp/session
cd /root || exit
sh /tmp/session >/tmp/printed 2>&1
cd "$OLDPWD" || exit

# What is wrong, a line each, after the number of the block.
awk '
function want(text,	re) {
	if (text == "...")
		return "(.*\n)?"
	gsub(/[][\\.^$*+?(){}|]/, "\\\\&", text)
	gsub(/\\\.\\\.\\\./, "[^\n]*", text)
	return text "\n"
}
FNR == 1 { file++ }
file == 1 {
	kind = $1; block = $2; n = $3
	sub(/^[^ ]* [^ ]* [^ ]* /, "")
	if (kind == "command") { of[n] = block; command[n] = $0; last = n }
	else { re[n] = re[n] want($0); text[n] = text[n] "\n    " $0 }
	next
}
/^@@ / { at = $2; next }
{ got[at] = got[at] $0 "\n" }
END {
	for (n = 1; n <= last; n++) {
		if (got[n] ~ ("^" re[n] "$"))
			continue
		print of[n], "# " command[n] text[n] "\nand it prints\n" got[n]
	}
}' /tmp/lines /tmp/printed >/tmp/wrong
block=0
while [ $block -lt "$planned" ]; do
	block=$((block + 1))
	awk -v b=$block '$1 == "command" && $2 == b { sub(/^[^ ]* [^ ]* [^ ]* /, ""); print; exit }' \
		/tmp/lines >/tmp/name
	! grep -q "^$block # " /tmp/wrong
	result $? "$(cat /tmp/name)"
done
sed 's/^/# /' /tmp/wrong
finish
