# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the tests share: results, and the state of LKST.

cd "$(dirname "$0")" || exit 1
K=/sys/kernel/lkst
P=/proc/lkst
n=0
bad=0

# plan N: how many results there will be.
plan() {
	planned=$1
	echo "KTAP version 1"
	echo "1..$planned"
}

# result CODE NAME
result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}

# pass NAME COMMAND...: COMMAND succeeds.
pass() {
	name=$1
	shift
	"$@" >/tmp/pass.log 2>&1
	code=$?
	[ $code -eq 0 ] || sed 's/^/# /' /tmp/pass.log
	result $code "$name"
}

# same NAME EXPECTED ACTUAL
same() {
	if [ "$2" = "$3" ]; then
		result 0 "$1"
	else
		echo "# expected: $2"
		echo "# got:      $3"
		result 1 "$1"
	fi
}

# Writes, and says "ok" or the name of the error.
put() { ./attempt write "$K/$1" "$2"; }
get() { cat "$K/$1"; }
# The names in a directory.
names() { (cd "$K/$1" && echo *); }
cpus() { (cd "$K/buffers/boot" && printf '%s\n' cpu*); }

# The numbers that marks left in the trace, as ranges.
marks_seen() {
	awk '/ net\/transmit / {
		sub(/.* len=/, ""); i = $1 - 42
		if (!n || i != last + 1) { if (n++) printf "%d-%d ", first, last; first = i }
		last = i
	} END { if (n) printf "%d-%d\n", first, last }' $P/trace
}

skip() {
	echo "1..0 # SKIP $*"
	exit 4
}

[ "$(id -u)" -eq 0 ] || skip "not root"

# Every test leaves things as it found them.
restore() {
	put enabled 1 >/dev/null
	put masksets/current default >/dev/null
	put buffers/current boot >/dev/null
	for b in "$K"/buffers/*/; do
		b=$(basename "$b")
		[ "$b" = boot ] || put buffers/remove "$b" >/dev/null
	done
	for m in "$K"/masksets/*/; do
		m=$(basename "$m")
		case $m in none | default | analysis | locks | all) continue ;; esac
		put masksets/remove "$m" >/dev/null
	done
	for h in "$K"/handlers/*/; do
		h=$(basename "$h")
		case $h in record | count) continue ;; esac
		put handlers/remove "$h" >/dev/null
	done
}

finish() {
	[ ! -d $K ] || restore
	if [ "$n" -ne "$planned" ]; then
		echo "# planned $planned results, and had $n"
		bad=1
	fi
	exit $bad
}
