#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="threadirqs"
# Handlers in threads: each of them begins and ends, and was asked for.

. ./functions.sh
plan 5

put masksets/create threads >/dev/null
for e in entry exit thread_entry thread_exit; do
	put "masksets/threads/irq/$e" record >/dev/null
done
put masksets/current threads >/dev/null
put buffers/create "threads size=1M" >/dev/null
put buffers/current threads >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do echo "line $i" >/dev/ttyS0; done
# The console's interrupt is number 4, and comes when a line has left. All runs of its
# handler have ended when none comes any more.
was=
i=0
while [ $i -lt 500 ]; do
	now=$(grep -o 'irq/thread_e[a-z]* irq=4' $P/trace | sort | uniq -c | xargs)
	[ "$now" != "$was" ] || [ -z "$now" ] || break
	was=$now
	usleep 50000
	i=$((i + 1))
done
put masksets/current none >/dev/null
grep ' irq/' $P/trace >/tmp/threads
count() { grep -c "$1" /tmp/threads; }
entries=$(count 'irq/thread_entry irq=4')
[ "$entries" -ge 1 ]
result $? "the console's handler ran in its thread ($entries times)"
same "and ended as often" "$entries" "$(count 'irq/thread_exit irq=4 ret=[01]')"
[ "$(count 'irq/thread_exit irq=4 ret=1')" -ge 1 ]
result $? "with something to do"
[ "$(count 'irq/exit irq=4 ret=2')" -ge "$entries" ]
result $? "the interrupt had woken it as often, at least"
grep -o 'irq/thread_entry.*handler=0xf[0-9a-f]*' /tmp/threads | sort -u >/tmp/handlers
[ -s /tmp/handlers ]
result $? "with a kernel address for a handler"
finish
