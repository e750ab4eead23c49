# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# What the tests that crash guests share: where they are, and their results.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
out=${OUT:-build/check/${0##*/}}
lkst=build/tools/lkst
# shellcheck source=selftests/lkst/results.sh
. selftests/lkst/results.sh

# ends_with NAME PATTERN FILE: the last line of FILE matches.
ends_with() {
	tail -n 1 "$3" | grep -qE "$2"
	result $? "$1"
	tail -n 1 "$3" | grep -E "$2" >/dev/null || tail -n 3 "$3" | sed 's/^/# /'
}

# The records of the CPU on which the last record of event $1 stands, but for what the
# kernel printed: a panic that no crash kernel follows goes on to say more.
crashing_cpu() {
	local cpu
	cpu=$(grep -o " cpu[0-9]* .* $1 " "$dir/trace.txt" | tail -n 1 | grep -o 'cpu[0-9]*')
	awk -v cpu="$cpu" '$2 == cpu && !/ lost | overwritten | kernel\/printk /' "$dir/trace.txt" >"$dir/cpu.txt"
}

# Every record that the descriptor counts is printed, and babeltrace2 agrees.
counts_agree() {
	local printed counted seen
	printed=$(grep -cE '^ *[0-9]+\.[0-9]{9} cpu[0-9]+ +.*[a-z]/[a-z]' "$dir/trace.txt")
	counted=$("$lkst" status "$dir/vmcore" |
		awk '/^buffer /{on=$2 == "boot"} on && /^ *cpu[0-9]/{sum += $5} END{print sum + 0}')
	babeltrace2 "$dir/trace" >"$dir/babeltrace.txt" 2>"$dir/babeltrace.err"
	seen=$(wc -l <"$dir/babeltrace.txt")
	[ "$printed" -gt 100 ] && [ "$printed" = "$counted" ] && [ "$printed" = "$seen" ]
	result $? "$mode: as many records as the descriptor says: $counted"
	[ "$printed" = "$seen" ] || echo "# printed $printed, counted $counted, babeltrace2 $seen"
	[ ! -s "$dir/babeltrace.err" ]
	result $? "$mode: babeltrace2 reads it to the end without a warning"
	sed 's/^/# /' "$dir/babeltrace.err" | head -n 5
}

# crash MODE LAST OPTIONS...: the guest crashes by the script on standard input; the
# last record of the CPU that crashed matches LAST.
crash() {
	local code
	mode=$1
	dir=$out/$mode
	mkdir -p "$dir"
	rm -f "$dir/vmcore"
	cat >"$dir/script"
	qemu/run -n -t 300 -o "$dir" "${@:3}" "$dir/script" >"$dir/run.log" 2>&1
	code=$?
	[ $code -eq 202 ]
	result $? "$mode: there is a dump"
	[ $code -eq 202 ] || { tail -n 5 "$dir/run.log" | sed 's/^/# /'; return; }
	rm -rf "$dir/trace"
	"$lkst" extract "$dir/vmcore" -o "$dir/trace" >"$dir/extract.log" 2>&1
	result $? "$mode: it is extracted whole"
	"$lkst" print "$dir/trace" >"$dir/trace.txt"
	grep -oE ' [a-z]+/[a-z0-9_]+ ' "$dir/trace.txt" | sort -u | xargs echo "# fired:"
	crashing_cpu "$(cut -d' ' -f1 <<<"$2")"
	ends_with "$mode: the crashing CPU's last record is the crash" "$2" "$dir/cpu.txt"
	counts_agree
	grep -qE ' timer/expire_entry .* function=[a-z_]+ ' "$dir/trace.txt"
	result $? "$mode: functions have names"
}

# seen NAME PATTERN: among the last records of the CPU that crashed.
seen() {
	tail -n 40 "$dir/cpu.txt" | grep -qE "$2"
	result $? "$mode: $1"
	rm -f "$dir/vmcore"
}

# same_trace NAME FILE...: the trace in $dir/trace comes out of these, to the last byte
# and without a complaint.
same_trace() {
	rm -rf "$dir/again"
	"$lkst" extract -o "$dir/again" "${@:2}" >"$dir/again.log" 2>"$dir/again.err" &&
		[ ! -s "$dir/again.err" ] && diff -r "$dir/trace" "$dir/again" >"$dir/diff"
	result $? "$1"
	cat "$dir/again.err" "$dir/diff" 2>/dev/null | sed 's/^/# /; 4q'
}

# made NAME OPTION...: and out of what makedumpfile makes of the dump. With -F that
# goes to standard output.
made() {
	local to=("$dir/made")
	[[ " ${*:2} " != *" -F "* ]] || to=()
	rm -f "$dir/made"
	makedumpfile --message-level 0 "${@:2}" "$dir/vmcore" "${to[@]}" \
		>"$dir/made.out" 2>"$dir/made.log"
	[ ${#to[@]} -gt 0 ] || mv "$dir/made.out" "$dir/made"
	same_trace "$1" "$dir/made"
}
