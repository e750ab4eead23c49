#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A handler on the interrupt that LKST itself raises to wake and to log does not keep
# itself going.

. ./functions.sh
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 6

put masksets/create own >/dev/null
trigger first action "log; notify"
trigger second match "vector == 246" action "log; notify"
put masksets/own/lkst/mark first >/dev/null
put masksets/own/irq/vector_entry record >/dev/null
put masksets/own/irq/vector_exit second >/dev/null
put masksets/current own >/dev/null
for i in 1 2 3 4 5; do fire 1 hardirq 1 $i; done
same "what raises it has acted" 5 "$(get handlers/first/fired)"
# Whoever reads `fired` asks to be woken once more.
same "its end has not" 0 "$(get handlers/second/fired)"
suppressed=$(get handlers/second/suppressed)
# The switch of masksets has raised some, too.
[ "$suppressed" -ge 1 ] && [ "$suppressed" -le 20 ]
result $? "which is counted ($suppressed)"
fire 1 hardirq 1
same "nor has it later" 0 "$(get handlers/second/fired)"
same "all that was seen fired or was suppressed" "$(get handlers/second/seen)" \
	"$(($(get handlers/second/fired) + $(get handlers/second/suppressed)))"
same "the interrupts were seen" yes \
	"$(grep -q 'irq/vector_entry vector=246' $P/trace && echo yes)"
rmmod lkst_fire
finish
