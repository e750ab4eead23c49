#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In crash(8) and drgn a dump has the trace that the lkst command finds in it: what the
# extension and the script print is the same, and so is what they save. Errors lead
# back to crash's prompt. Runs on the host.

. "$(dirname "$0")/functions.sh"
vmcore=$out/vmcore
minimal=(--minimal --kaslr=auto)

# said NAME LINE...: crash went on to say these, one of which is a pattern of grep.
said() {
	local bad=0 line
	for line in "${@:2}"; do
		grep -qx -- "$line" "$out/crash.txt" "$out/crash.err" || { bad=1; echo "# not said: $line"; }
	done
	result $bad "$1"
}

# drgn_same NAME DUMP
drgn_same() {
	rm -rf "$out"/got.*
	in_drgn "$2" status >"$out/got.status"
	in_drgn "$2" print >"$out/got.print"
	in_drgn "$2" save "$out/got.save" >"$out/got.saved"
	same "$1"
}
in_drgn() {
	LKST=$lkst timeout -k 5 60 drgn --no-default-symbols -c "$1" tools/lkst/drgn/lkst.py "${@:2}"
}

# The value of a line of the dump's vmcoreinfo.
vmcoreinfo() { head -c 65536 "$vmcore" | sed -n "s/^$1=//p" | tr -d '\0' | head -n 1; }

echo "KTAP version 1"
mkdir -p "$out"
rm -f "$vmcore"*
echo 'echo c >/proc/sysrq-trigger' >"$out/script"
qemu/run -n -t 300 -c -o "$out" "$out/script" >"$out/run.log" 2>&1
[ $? -eq 202 ] && want "$vmcore" && add_debugging_data
result $? "there is a dump with a trace"
makedumpfile --message-level 0 -c -d 31 "$vmcore" "$vmcore.compressed" >"$out/made.log" 2>&1

crash_same "crash --minimal" "$vmcore" "${minimal[@]}"
crash_same "crash --minimal, of a compressed dump" "$vmcore.compressed" "${minimal[@]}"

# All of crash needs all of the debugging data, and a release that knows the kernel.
if ! has_debugging_data build/kernel/vmlinux; then
	skip "crash with debugging data" "build/kernel has none"
elif ! echo 'sys' | timeout -k 5 60 crash -s --kaslr=auto "$vmlinux" "$vmcore" >"$out/full.txt" 2>&1 ||
	! grep -q 'DUMPFILE:' "$out/full.txt"; then
	skip "crash with debugging data" \
		"$(crash -v | grep -m 1 '^crash ') does not start: $(grep . "$out/full.txt" | tail -n 1)"
else
	crash_same "crash with debugging data" "$vmcore" --kaslr=auto
fi

# What is wrong is said at the prompt, and crash goes on: the same process, with no more
# files open, once it has closed the other end of the pipe to this shell.
# shellcheck disable=SC2016 # the other shell's
count='n=; same=0; while [ $same -lt 5 ]; do sleep 0.1; was=$n; n=$(ls /proc/$PPID/fd | wc -l); [ "$n" = "$was" ] && same=$((same + 1)) || same=0; done; echo process $PPID has $n files'
in_crash "$vmcore" "${minimal[@]}" <<-END
	!$count
	lkst
	lkst nothing
	lkst print $vmcore
	lkst print --nothing
	lkst print -e nothing/*
	lkst save $out
	lkst save /nowhere/at/all
	lkst status
	!$count
END
said "errors lead back to the prompt" \
	"  lkst status .*| print .*| save .* DIR" "lkst: nothing: no such command; .*" \
	"lkst: $vmcore: what is read is $vmcore, and nothing else" \
	"lkst: unrecognized option '--nothing'" "lkst: -e, --event: no event matches nothing/\*" \
	"lkst: $out: is not empty; .*" "lkst: /nowhere/at/all: .*" "maskset  *default"
[ "$(grep -c '^process [0-9]* has [0-9]* files$' "$out/crash.txt")" -eq 2 ] &&
	[ "$(grep '^process ' "$out/crash.txt" | sort -u | wc -l)" -eq 1 ]
result $? "no file is left open"

# Without memory a command ends, and only it.
(
	ulimit -v 400000
	in_crash "$vmcore" "${minimal[@]}" <<-END
		lkst print -n 10000000
		lkst status
	END
)
said "out of memory" "lkst: out of memory" "maskset  *default"

selftests/lkst/crash/interrupt.py "$extension" crash -s "${minimal[@]}" "$vmlinux" "$vmcore" \
	>"$out/crash.txt" 2>"$out/crash.err"
result $? "Ctrl-C ends a print, and crash ends when it is told to"
said "after Ctrl-C there are other commands" "maskset  *default"

# Without vmcoreinfo the symbols lead to that in memory.
offset=$(vmcoreinfo KERNELOFFSET) base=$(vmcoreinfo 'NUMBER(phys_base)')
LC_ALL=C sed '0,/VMCOREINFO/s//XMCOREINFO/' "$vmcore" >"$vmcore.nonote"
crash_same "a dump without vmcoreinfo" "$vmcore.nonote" --minimal --kaslr="0x$offset" \
	--machdep phys_base="$base"

drgn_same "drgn" "$vmcore"
drgn_same "drgn, of a compressed dump" "$vmcore.compressed"

# A damaged dump: the same is missing, and said to be.
export -f in_crash
export crash_program extension vmlinux out lkst
# shellcheck disable=SC2016 # wound.py runs a shell
selftests/lkst/crash/wound.py "$vmcore" descriptor bash -c '
	"$lkst" print "$1" >"$out/want.print" 2>"$out/want.err"
	in_crash "$1" --minimal --kaslr=auto <<-END
		lkst print >$out/got.print
		lkst save $out/got.save
		sym lkst_descriptor
	END
' - "$vmcore" >"$out/wound.log" 2>&1
grep -qx 'lkst: no descriptor found; .*' "$out/crash.err" &&
	[ -s "$out/want.print" ] && cmp "$out/want.print" "$out/got.print" >"$out/diff"
result $? "a damaged dump: what is there is the same"
said "and crash goes on" "[0-9a-f]* (.) lkst_descriptor"

rm -f "$vmcore"* "$vmlinux"
echo "1..$n"
exit $bad
