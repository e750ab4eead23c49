#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# /proc/kcore is a dump of the running kernel, of all of its address space, of which
# only memory is looked at: the trace in it is what `lkst print' reads, in bounded time
# and memory.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
[ -e /proc/kcore ] || skip "no /proc/kcore"
plan 16

# limited COMMAND...: in the memory and time that it may take.
# shellcheck disable=SC3045 # the guest's shell has it
limited() { (ulimit -v 204800 && exec timeout 120 "$@"); }

# Lines, without the names of threads that are not known live, as they have ended, or that
# /proc tells more of, as it does of workers.
alike() {
	awk 'NR == FNR { if ($3 ~ /-(\?|kworker.*)$/) odd[$3 + 0]; next }
		$3 + 0 in odd { sub(/ [0-9]+-[^ ]* +/, " " ($3 + 0) " ") }
		{ print }' /tmp/live "$1"
}

# same_lines NAME FILE: those of /tmp/live
same_lines() {
	alike /tmp/live >/tmp/one
	alike "$2" >/tmp/other
	diff /tmp/one /tmp/other | head -n 8 | sed 's/^/# /'
	pass "$1" cmp /tmp/one /tmp/other
}

own_only run
for group in net sched process syscall timer; do
	put masksets/run/$group/all record >/dev/null
done
put buffers/create "run size=4M packet=16K" >/dev/null
put masksets/current run >/dev/null
put buffers/current run >/dev/null
./marks 0 1 20
./marks 1 21 50
sleep 1
put enabled 0 >/dev/null

[ "$(stat -c %s /proc/kcore)" -gt $((1 << 40)) ]
result $? "it is larger than any memory"
lkst print >/tmp/live
same "print" 0 "$(code limited lkst print -b run /proc/kcore)"
same "it says nothing else" "" "$(cat /tmp/err)"
same_lines "the records are those that are read live" /tmp/out
lines=$(wc -l </tmp/live)
[ "$lines" -gt 1000 ]
result $? "that are $lines"
grep -q ' timer/hrtimer_expire_entry .* function=[a-z_]* ' /tmp/live
result $? "functions have names"

rm -rf /tmp/extracted
same "extract" 0 "$(code limited lkst extract /proc/kcore -o /tmp/extracted)"
same "it says nothing else" "" "$(cat /tmp/err)"
lkst print -b run /tmp/extracted >/tmp/print
same_lines "the records are the same" /tmp/print
# What another test cleared dmesg(1) does not show.
dmesg | sed 's/\\/\\x5c/g; s/\t/\\x09/g' >/tmp/dmesg
tail -n "$(wc -l </tmp/dmesg)" /tmp/extracted/dmesg >/tmp/log
diff /tmp/dmesg /tmp/log | head -n 8 | sed 's/^/# /'
pass "and the kernel's log" cmp /tmp/dmesg /tmp/log

# However it is named, and whatever leads to the trace.
same "as standard input" "$lines" "$(limited lkst print -b run - </proc/kcore | wc -l)"
same "by another path" "$lines" \
	"$(cd /proc && limited lkst print -b run kcore | wc -l)"
same "all memory searched" "$lines" \
	"$(limited lkst print -b run --scan /proc/kcore 2>/tmp/err | wc -l)"

# While it is recorded to, what was recorded before is there.
put enabled 1 >/dev/null
rm -rf /tmp/extracted
got=$(code limited lkst extract /proc/kcore -o /tmp/extracted)
[ "$got" -le 1 ]
result $? "extract while it records ($got)"
same "the marks" 50 \
	"$(lkst print -b run -e net/transmit /tmp/extracted 2>/tmp/err | grep -c ' len=')"
same "not root" 1 "$(su user -c 'lkst print /proc/kcore >/dev/null 2>&1; echo $?')"
rm -rf /tmp/extracted
finish
