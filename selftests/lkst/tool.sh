#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The lkst command reads the running kernel as /proc/lkst/trace and the counters
# show it, and says by its exit code how that went.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
plan 33

# The numbers of marks in what `lkst print` prints, as ranges.
marks() {
	lkst print "$@" -e net/transmit | awk '/ net\/transmit / {
		sub(/.* len=/, ""); i = $1 - 42
		if (!n || i != last + 1) { if (n++) printf "%d-%d ", first, last; first = i }
		last = i
	} END { if (n) printf "%d-%d\n", first, last }'
}

# Lines of the tool or the kernel, without what only one of them shows: blanks
# and names of threads, brackets around arrays, the kernel's heading.
alike() {
	awk '!/^#/ {
		sub(/^-1$/, "?", $3)	# not known
		sub(/-.*/, "", $3)
		line = $1 " " $2 " " $3
		for (i = 4; i <= NF && $i !~ /^[a-z]+\/[a-z_]+$/; i++)
			;
		for (; i <= NF; i++)
			line = line " " $i
		gsub(/[][]/, "", line)
		print line
	}' "$1"
}

sum() { cat $K/buffers/"$1"/cpu*/"$2" | awk '{ n += $1 } END { print n }'; }
records() { lkst print "$@" -s | awk '$2 == "records" { print $1 }'; }

own_only run
put masksets/run/net/transmit record >/dev/null
put masksets/run/sched/all record >/dev/null
put masksets/run/process/all record >/dev/null
put masksets/run/syscall/all record >/dev/null
put buffers/create "run size=1M" >/dev/null
put masksets/current run >/dev/null
put buffers/current run >/dev/null
./marks 0 1 20
./marks 1 21 50
same "the marks are there while recording goes on" "1-50" "$(marks)"
same "by buffer" "1-50" "$(marks -b run)"
same "by CPU" "1-20" "$(marks -c 0)"
same "by number of the last lines" "46-50" "$(marks -n 5)"
same "printing ends well" 0 "$(code lkst print)"
same "it says nothing else" "" "$(cat /tmp/err)"

put enabled 0 >/dev/null
lkst print -r >/tmp/tool
cat $P/trace >/tmp/kernel
alike /tmp/tool >/tmp/tool.alike
alike /tmp/kernel >/tmp/kernel.alike
pass "a stopped buffer reads as in /proc/lkst/trace" cmp /tmp/tool.alike /tmp/kernel.alike
lines=$(grep -c . /tmp/tool)
[ "$lines" -gt 300 ]
result $? "that are $lines records"
same "the summary has as many" "$lines" "$(records)"
same "the counters say so too" "$lines" "$(sum run hits)"
same "of net/transmit" 50 "$(lkst print -s | awk '$2 == "net/transmit" { print $1 }')"

grep ' sched/' /tmp/tool.alike | tail -n 5 >/tmp/want
lkst print -r -n 5 -e 'sched/*' >/tmp/got
alike /tmp/got >/tmp/got.alike
pass "the last five of a group" cmp /tmp/want /tmp/got.alike
same "that are five" 5 "$(grep -c . /tmp/got)"
tid=$(sed -n 's/.* \([0-9]*\)-marks .*/\1/p' /tmp/tool | tail -n 1)
same "the thread that made the last marks" "21-50" "$(marks -t "$tid")"
from=$(awk '/ len=53 / { print $1 }' /tmp/tool)
to=$(awk '/ len=72 / { print $1 }' /tmp/tool)
same "from a time to another" "11-30" "$(marks --from "$from" --to "$to")"

# Wall time: lkst/stop has the kernel's own.
wall=$(sed -n 's/.* lkst\/stop .*wall=\([0-9]*\).*/\1/p' /tmp/tool | tail -n 1)
day=$(lkst print -w -e lkst/stop | tail -n 1 | sed 's/^\([-0-9]*\)T\([0-9:]*\)\..*/\1 \2/')
off=$(($(date -u -d "$day" +%s) - wall / 1000000000))
[ "$off" -ge -1 ] && [ "$off" -le 1 ]
result $? "wall time is the kernel's, to a second ($off)"

same "status ends well" 0 "$(code lkst status)"
same "it shows the state" "0 run run" \
	"$(awk '$1 == "enabled" || $1 == "maskset" || $1 == "*" { print $2 }' /tmp/out | xargs)"
same "and the counters" "$(sum run hits)" \
	"$(awk '/^buffer/ { on = $2 == "run:" } on && $1 ~ /^cpu[0-9]/ { n += $2 } END { print n }' /tmp/out)"
put enabled 1 >/dev/null

# A function by its name; by its address, if that is asked for or names are hidden.
# timers [OPTION...]: the functions of timers
timers() { lkst print -e timer/expire_entry "$@" | sed 's/.* function=\([^ ]*\) .*/\1/'; }
put masksets/run/timer/expire_entry record >/dev/null
sleep 2
name=$(timers -n 1)
at=$(awk -v name="$name" '$3 == name { print "0x" $1; exit }' /proc/kallsyms)
[ -n "$at" ]
result $? "a timer's function has a name that the kernel knows ($name)"
timers -a | grep -qx "$at"
result $? "it has that address ($at)"
restrict=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
timers 2>/tmp/err | grep -qx "$at"
result $? "no name when addresses are hidden"
grep -q 'kallsyms: tells no addresses' /tmp/err
result $? "it says so"
echo "$restrict" >/proc/sys/kernel/kptr_restrict

# What is read of a buffer in discard mode is gone, less the packet that is open.
put buffers/create "some size=1M packet=4K mode=discard" >/dev/null
put buffers/current some >/dev/null
./marks 0 1 300
put buffers/current boot >/dev/null
same "discard: all marks, once" "1-300" "$(marks -b some)"
[ "$(sum some consumed)" -gt 200 ]
result $? "discard: they are consumed"
same "discard: what is left is what the counters say" "$(sum some readable)" \
	"$(records -b some)"
exec 5<$P/buffers/some/cpu0
same "discard: one reader at a time" 1 "$(code lkst print -b some)"
exec 5<&-
grep -q 'cpu0: .*busy' /tmp/err
result $? "discard: it says so"

same "no such buffer" 1 "$(code lkst print -b nothing)"
same "no such event" 1 "$(code lkst print -e nothing)"
same "no such option" 2 "$(code lkst print --nothing)"
same "no such command" 2 "$(code lkst nothing)"
same "not root" "1 1" "$(su user -c 'lkst print; printf "%d " $?; lkst status; echo $?' 2>/dev/null)"
finish
