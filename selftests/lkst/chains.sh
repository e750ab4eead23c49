#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=600
# What an action raises is an event too, and can be mapped to a trigger: that one
# does not act, which is counted. Nothing goes round.

. ./functions.sh
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 24

state() {
	for h; do
		echo "$h" "$(get "handlers/$h/seen")" "$(get "handlers/$h/fired")" \
			"$(get "handlers/$h/suppressed")"
	done | xargs
}
# begin MASKSET: anew.
begin() {
	put masksets/current none >/dev/null
	put buffers/one/reset 1 >/dev/null
	put buffers/two/reset 1 >/dev/null
	put buffers/current one >/dev/null
	put masksets/current "$1" >/dev/null
}
# renew NAME FILE VALUE...: a trigger that has suppressed none so far. What was
# mapped to the one before is to be mapped again.
renew() {
	put "handlers/$1/action" none >/dev/null
	for m in a b; do
		for e in mark maskset buffer trigger start stop; do
			[ "$(get masksets/$m/lkst/$e)" != "$1" ] ||
				put masksets/$m/lkst/$e none >/dev/null
		done
	done
	put handlers/remove "$1" >/dev/null
	trigger "$@"
}
put buffers/create "one size=256K packet=4K" >/dev/null
put buffers/create "two size=256K packet=4K" >/dev/null
put masksets/create a >/dev/null
put masksets/create b >/dev/null

# The mark's trigger switches both; what that raises has triggers that would switch
# back, and one that would wake and log.
for c in $contexts; do
	renew mark match "a == 5" action "maskset b; buffer two"
	renew fired action "maskset b; notify; log; handler none"
	renew set action "maskset a; handler none"
	renew buffer action "buffer one; keep after 3"
	put masksets/a/lkst/mark mark >/dev/null
	put masksets/a/lkst/trigger fired >/dev/null
	put masksets/b/lkst/maskset set >/dev/null
	put masksets/b/lkst/buffer buffer >/dev/null
	put masksets/b/lkst/mark record >/dev/null
	begin a
	fire 1 "$c" 10
	seen="$(get masksets/current) $(get buffers/current)"
	put masksets/current none >/dev/null
	same "$c: what an action raises does not act" \
		"mark 1 1 0 fired 1 0 1 set 1 0 1 buffer 1 0 1, b two" \
		"$(state mark fired set buffer), $seen"
	same "$c: it is recorded as it should be" "1-5 trigger maskset:b, buffer:two 6-10" \
		"$(sequence_of one), $(sequence_of two)"
done

# By hand, each acts once.
renew set action "maskset a"
put masksets/b/lkst/maskset set >/dev/null
begin a
put masksets/current b >/dev/null
same "a set that switches back at once" "a set 1 1 0" "$(get masksets/current) $(state set)"

# A trigger on what it raises itself.
renew mark action notify
put masksets/a/lkst/mark mark >/dev/null
put masksets/a/lkst/trigger mark >/dev/null
begin a
fire 1 hardirq 1000
same "a trigger that is hit by its own firing" "mark 2000 1000 1000" "$(state mark)"
same "itself as the handler it puts in its place" "EINVAL notify" "$(
	put handlers/mark/action "handler mark") $(get handlers/mark/action)"

# Two sets that each switch to the other one.
renew there action "maskset b"
renew back action "maskset a"
put masksets/a/lkst/trigger none >/dev/null
put masksets/a/lkst/mark there >/dev/null
put masksets/b/lkst/mark back >/dev/null
put masksets/b/lkst/maskset record >/dev/null
put masksets/a/lkst/maskset record >/dev/null
begin a
fire 1 nmi 1000
seen=$(get masksets/current)
put masksets/current none >/dev/null
same "two sets in turn" "there 500 500 0 back 500 500 0, a" "$(state there back), $seen"
same "each hit switches once" \
	"$(seq 1000 | awk '{ printf "%d maskset:%s ", $1, $1 % 2 ? "b" : "a" }' | md5sum)" \
	"$(sequence_of one | sed 's/^maskset:a //; s/$/ /' | tr -d '\n' | md5sum)"
begin a
fire 0 hardirq 20000 &
fire 1 nmi 20000
wait $!
sum=$(($(get handlers/there/seen) + $(get handlers/back/seen)))
same "on two CPUs at once" 41000 "$sum"

# Two handlers that each put the other one in their place.
put masksets/current none >/dev/null
renew there
renew back action "handler there"
put handlers/there/action "handler back" >/dev/null
put masksets/a/lkst/mark there >/dev/null
begin a
fire 1 softirq 1001
same "two handlers in turn" "there 501 501 0 back 500 500 0, back" \
	"$(state there back), $(get masksets/a/lkst/mark)"
same "neither can be removed" "EBUSY EBUSY" \
	"$(put handlers/remove there) $(put handlers/remove back)"

# Start and stop.
put masksets/current none >/dev/null
renew stop action start
renew start action stop
put masksets/a/lkst/stop stop >/dev/null
begin a
put enabled 0 >/dev/null
same "a start while it is about to stop" "0 stop 1 1 0" "$(get enabled) $(state stop)"
put enabled 1 >/dev/null
put masksets/a/lkst/stop none >/dev/null
put masksets/a/lkst/start start >/dev/null
put enabled 0 >/dev/null
put enabled 1 >/dev/null
same "a stop when it has just begun" "0 start 1 1 0" "$(get enabled) $(state start)"
put masksets/a/lkst/start none >/dev/null
put enabled 1 >/dev/null
same "without that it begins" 1 "$(get enabled)"
put masksets/a/lkst/stop start >/dev/null
put enabled 0 >/dev/null
same "a stop while it is about to stop" "0 a" "$(get enabled) $(get masksets/current)"
put enabled 1 >/dev/null
same "which begins again as any other" "1 a" "$(get enabled) $(get masksets/current)"
put masksets/a/lkst/stop none >/dev/null

# From all contexts, which nest: what comes while one acts is counted.
put masksets/current none >/dev/null
insmod /modules/lkst_stress.ko
S=/sys/module/lkst_stress/parameters
renew mark
renew mark2 action "handler mark; buffer two; buffer one"
put handlers/mark/action "maskset b; handler mark2; notify; maskset a" >/dev/null
for m in a b; do
	for e in mark maskset buffer trigger; do
		put masksets/$m/lkst/$e mark >/dev/null
	done
done
put masksets/a/lkst/maskset mark2 >/dev/null
begin a
# Not so much that a debug kernel does nothing else.
echo 50 >$S/burst
echo 400 >$S/rest
echo 400 >$S/period
echo 1 >$S/run
sleep 5
echo 0 >$S/run
put masksets/current none >/dev/null
state mark mark2 | sed 's/^/# /'
# shellcheck disable=SC2046 # numbers
set -- $(state mark mark2)
same "whatever is hit fires or is suppressed" "$2 $6" "$(($3 + $4)) $(($7 + $8))"
[ "$3" -gt 100 ] && [ "$4" -gt 100 ]
result $? "and both there was"
rmmod lkst_stress

# A line in the log takes soft interrupts, which are such events.
put masksets/current none >/dev/null
put handlers/mark2/action none >/dev/null
renew mark action log
put masksets/a/irq/softirq_raise mark >/dev/null
dmesg -c >/dev/null
begin a
sleep 3
put masksets/current none >/dev/null
lines=$(dmesg | grep -c 'handler mark fired')
echo "# $(state mark), $lines lines"
[ "$lines" -gt 0 ] && [ "$lines" -le 20 ]
result $? "what logs soft interrupts, and so makes them, is bounded"
put masksets/a/irq/softirq_raise none >/dev/null
rmmod lkst_fire
finish
