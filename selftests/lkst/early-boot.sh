#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lkst.size=16M"
# Recording begins before there is a second thread, and nothing of the boot is lost.

. ./functions.sh
plan 11

threads=$(cd /proc && echo [0-9]*)
put masksets/current none >/dev/null
cat $P/trace >/tmp/trace
at() { sed -n "s/^ *\([0-9.]*\) .*$1.*/\1/p" /tmp/trace | head -n 1; }
before() { [ -n "$1" ] && [ -n "$2" ] && echo "$1 $2" | awk '{ exit !($1 < $2) }'; }
number() { grep -c "$1" /tmp/trace; }

same "nothing was lost or overwritten" "0 0 0 0" \
	"$(cat $K/buffers/boot/cpu*/lost $K/buffers/boot/cpu*/overwritten | xargs)"
same "the first record is the start, in the first thread, on the boot CPU" \
	"cpu0 0 lkst/start" "$(sed -n '3s/^ *[0-9.]* *//; 3s/  */ /g; 3s/ wall.*//p' /tmp/trace)"
same "it is the only start" 1 "$(number ' lkst/start ')"
same "thread 0 makes thread 1, and then 2, which makes the others" \
	"0 1, 0 2, 2 3" "$(sed -n 's|.* process/fork parent_tid=\([0-9]*\) child_tid=\([0-9]*\) .*|\1 \2|p' /tmp/trace |
		head -n 3 | paste -s -d, | sed 's/,/, /g')"
same "so every thread is known: its fork is there" "" "$(
	for t in $threads; do
		grep -q " process/fork .* child_tid=$t " /tmp/trace || echo "$t"
	done | xargs)"
exec=$(at ' process\/exec tid=1 .*filename="\/init"')
pass "init is run" [ -n "$exec" ]
pass "after the start" before "$(at ' lkst\/start ')" "$exec"
pass "kernel threads came before that" before "$(at ' process\/fork parent_tid=2 ')" "$exec"
pass "so did soft interrupts" before "$(at ' irq\/softirq_entry ')" "$exec"
pass "so did timers" before "$(at ' timer\/expire_entry ')" "$exec"
first=$(at ' syscall\/enter ')
pass "no system call did" before "$exec" "$first"
finish
