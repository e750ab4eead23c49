#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# CPUs come and go: what a CPU recorded before it went stays, and it goes on in the
# same ring when it comes back.

. ./functions.sh
online=/sys/devices/system/cpu/cpu1/online
[ -e $online ] || skip "CPU 1 cannot be turned off"
plan 11

cpu1() { ./packets "$1" | sed -n 's/^cpu1 .*\(marks.*\)/\1/p'; }
counters() { (cd "$K/buffers/$1/cpu1" && cat hits lost consumed overwritten unfinished | xargs); }

put masksets/create marks >/dev/null
put masksets/marks/net/transmit record >/dev/null
put masksets/current marks >/dev/null
put buffers/create "marks size=64K packet=4K" >/dev/null
put buffers/current marks >/dev/null
./marks 1 1 500
exec 5<$P/buffers/marks/cpu1
pass "CPU 1 goes" ./attempt write $online 0
same "it has gone" 0 "$(cat $online)"
same "an open file can be read" 1 "$(($(wc -c <&5) > 4096))"
exec 5<&-
./marks 0 1 100
put buffers/current boot >/dev/null
same "what it recorded is still there" "marks=500 first=1 last=500" "$(cpu1 marks)"
same "its counters too" "500 0 0 0 0" "$(counters marks)"
put buffers/create "while size=64K packet=4K" >/dev/null
same "a buffer that is made meanwhile is for it too" "marks=0 first=0 last=0" "$(cpu1 while)"
put buffers/current marks >/dev/null
pass "CPU 1 comes back" ./attempt write $online 1
./marks 1 501 600
put buffers/current boot >/dev/null
same "it goes on in the same ring" "marks=600 first=1 last=600" "$(cpu1 marks)"
same "with the same counters" "600 0 0 0 0" "$(counters marks)"
put buffers/current while >/dev/null
./marks 1 1 50
put buffers/current boot >/dev/null
same "and in the one that was made meanwhile" "marks=50 first=1 last=50" "$(cpu1 while)"

# All that happens when one goes and comes.
put buffers/create "updown size=16M" >/dev/null
put buffers/current updown >/dev/null
put masksets/current all >/dev/null
echo 0 >$online
echo 1 >$online
put masksets/current none >/dev/null
put buffers/current boot >/dev/null
pass "all events of that are in order" ./packets updown
finish
