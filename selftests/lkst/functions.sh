# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the tests share: results, and the state of LKST.

cd "$(dirname "$0")" || exit 1
K=/sys/kernel/lkst
P=/proc/lkst
# shellcheck source=selftests/lkst/results.sh
. ./results.sh

# The maskset that is current when the test begins, for restore.
found=$(cat $K/masksets/current 2>/dev/null)
case $found in none | default | analysis | locks | all) ;; *) found=default ;; esac

# plan N: how many results there will be.
plan() {
	planned=$1
	echo "KTAP version 1"
	echo "1..$planned"
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

# code COMMAND...: its exit code; what it prints is in /tmp/out and /tmp/err.
code() {
	"$@" >/tmp/out 2>/tmp/err
	echo $?
}

# Writes, and says "ok" or the name of the error.
put() { ./attempt write "$K/$1" "$2"; }
get() { cat "$K/$1"; }
# The names in a directory.
names() { (cd "$K/$1" && echo *); }
cpus() { (cd "$K/buffers/boot" && printf '%s\n' cpu*); }

# await COMMAND...: until it is true, at most half a minute
await() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.05
	done
}

# The numbers that marks left in the trace, as ranges.
marks_seen() {
	awk '/ net\/transmit / {
		sub(/.* len=/, ""); i = $1 - 42
		if (!n || i != last + 1) { if (n++) printf "%d-%d ", first, last; first = i }
		last = i
	} END { if (n) printf "%d-%d\n", first, last }' $P/trace
}

# own_only NAME: a new maskset with LKST's own events.
own_only() {
	put masksets/create "$1 from none" >/dev/null
	put "masksets/$1/lkst/all" record >/dev/null
}

# What is in the trace, in short: a mark's number in decimal, else the event's name
# without its group, and of what was switched to also that name.
sequence() {
	awk '
		function number(text, n, i) {
			for (i = 3; i <= length(text); i++)
				n = n * 16 + index("123456789abcdef", substr(text, i, 1))
			return n + 0
		}
		/ lkst\/mark / { sub(/.* a=/, ""); sub(/ b=.*/, ""); print number($0); next }
		{
			word = ""
			for (i = 1; i <= NF; i++)
				if (!word && $i ~ /^[a-z]+\/[a-z_]+$/)
					word = $i
			sub(/.*\//, "", word)
			if (word ~ /^(maskset|buffer)$/) {
				sub(/.*name="/, ""); sub(/".*/, ""); word = word ":" $0
			}
			if (word)
				print word
		}' | ranges
}

# Numbers that rise by one, as a range.
ranges() {
	awk '
		function out() {
			if (n)
				printf "%s%s", (some++ ? " " : ""), first == last ? first : first "-" last
			n = 0
		}
		/^[0-9]+$/ {
			if (n && $1 == last + 1) { last = $1; next }
			out(); n = 1; first = last = $1; next
		}
		{ out(); printf "%s%s", (some++ ? " " : ""), $0 }
		END { out(); print "" }'
}

# The same of a buffer, which becomes the current one for that, and has a record that
# says so; CPU $2 only, or all.
sequence_of() {
	put buffers/current "$1" >/dev/null
	grep " ${2:-cpu}" $P/trace | grep -v ' lkst/threads_unknown ' | sequence
}

# fire CPU CONTEXT COUNT [FIRST [PERIOD]]: marks, by the module lkst_fire.
fire() { echo "$*" >/sys/module/lkst_fire/fire; }
# shellcheck disable=SC2034 # those who read this file use it
contexts="thread softirq hardirq nmi"

# trigger NAME FILE VALUE...: a new trigger.
trigger() {
	put handlers/create "trigger $1" >/tmp/put
	name=$1
	shift
	while [ $# -gt 0 ]; do
		put "handlers/$name/$1" "$2" >>/tmp/put
		shift 2
	done
	grep -vx ok /tmp/put | sed "s/^/# trigger $name: /"
}

# What the last line of the kernel's log is, of those that LKST wrote.
logged() { dmesg | sed -n 's/.*\] lkst: //p' | tail -n 1; }

skip() {
	echo "1..0 # SKIP $*"
	exit 4
}

[ "$(id -u)" -eq 0 ] || skip "not root"

# Which events there were records of, for the table at the end of a whole run.
tell_fired() {
	{
		cat /tmp/fired
		awk '$4 ~ "/" { print $4 }' $P/trace
	} 2>/dev/null | sort -u | xargs echo "# fired:"
	rm -f /tmp/fired
}

# Every test leaves things as it found them.
restore() {
	tell_fired
	for f in "$K"/handlers/*/action; do
		[ ! -e "$f" ] || echo none >"$f"
	done
	for f in "$K"/buffers/*/next; do
		echo none >"$f"
	done
	put enabled 1 >/dev/null
	put masksets/current "$found" >/dev/null
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
