#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What is there to be read: the trace as text, status, metadata.

. ./functions.sh
plan 13

put buffers/create "views size=4M packet=4K" >/dev/null
put masksets/current all >/dev/null
put buffers/current views >/dev/null
./marks 0 1 50
./marks 1 1 50
seq 2000 | sort -n | tail -n 1 >/dev/null
put masksets/current none >/dev/null

# Without the thread, which is not known before a CPU's first switch.
sed 's/\( cpu[0-9]*\)  *[-0-9?]* /\1 /' $P/trace >/tmp/text
sed 1,2d /tmp/text >/tmp/lines
same "the head" "# buffer views, clock $(get clock)" "$(head -n 1 /tmp/text)"
same "a line for each record" "$(cat $K/buffers/views/cpu*/readable | awk '{ n += $1 } END { print n }')" \
	"$(wc -l </tmp/lines)"
pass "in the order of time" sh -c 'cut -d" " -f1 /tmp/lines | sort -n -c'
same "reading consumes nothing" "$(wc -l </tmp/text)" "$(wc -l <$P/trace)"
same "status: the sets, the buffer, its counters" "none views $(
	for c in hits lost overwritten consumed; do
		get buffers/views/cpu0/$c
	done | xargs)" "$(sed -n 's/^maskset  *//p' $P/status) $(
	sed -n 's/^\* \([^ ]*\) .*/\1/p' $P/status) $(
	awk '$1 == "cpu0" { print $2, $3, $4, $5 }' $P/status)"
put buffers/current boot >/dev/null
./packets -t views | sed 's/\( cpu[0-9]*\)  *[-0-9?]* /\1 /' >/tmp/packets
cmp /tmp/lines /tmp/packets || diff /tmp/lines /tmp/packets | head -n 8 | sed 's/^/# /'
pass "the packets, decoded by what the catalogue says, are the same" cmp /tmp/lines /tmp/packets

events() { sed -n 's/.*id = \([0-9]*\); name = "\([^"]*\)".*/\1 \2/p' "$1"; }
clockless() { sed '/^clock {/,/^}/d' "$1"; }
same "metadata has each event with its number" "$(
	cd $K/events && for e in */*; do
		echo "$(cat "$e/id") $(echo "$e" | tr / _)"
	done | sort -n)" "$(events $P/metadata | sort -n)"
same "that of the current buffer is its own" "$(clockless $P/buffers/boot/metadata)" \
	"$(clockless $P/metadata)"
pass "another buffer has another uuid" [ "$(grep uuid $P/metadata)" != \
	"$(grep uuid $P/buffers/views/metadata)" ]
same "and else the same" 2 "$(clockless $P/buffers/views/metadata | grep -v uuid >/tmp/a
	clockless $P/metadata | grep -v uuid | diff - /tmp/a | grep -c '^[-+].*buffer = ')"

# Threads are known where all their switches are recorded, and only there.
probe() { sh -c 'kill -0 $$; echo $$'; }
# made_by PID: who made that call, as the running kernel's buffer tells
made_by() { awk -v "a=arg0=0x$(printf %x "$1")" '/ nr=62 / && $NF == a { print $3 }' $P/trace; }
put masksets/create calls >/dev/null
put masksets/calls/syscall/all record >/dev/null
put buffers/create "told size=4M" >/dev/null
put masksets/current default >/dev/null
put buffers/current told >/dev/null
a=$(probe)
put masksets/current calls >/dev/null
b=$(probe)
put masksets/current default >/dev/null
c=$(probe)
same "who made a call: known, not known without sched/switch, known again" "$a ? $c" \
	"$(made_by "$a") $(made_by "$b") $(made_by "$c")"
same "where that begins is told once" 1 "$(grep -c ' lkst/threads_unknown .* why=1$' $P/trace)"
put enabled 0 >/dev/null
probe >/dev/null
put enabled 1 >/dev/null
same "after a stop the start is nobody's" "?" "$(awk '$4 == "lkst/start" { print $3 }' $P/trace)"
put buffers/current boot >/dev/null
put masksets/remove calls >/dev/null
put buffers/remove told >/dev/null
finish
