#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=600
# Who polls a trigger's `fired` learns of every firing, at whatever rate they come and
# from every context, and what its wakeup raises does not wake it again.

. ./functions.sh
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 29

put masksets/create marks >/dev/null
trigger t action notify "then" none
put masksets/marks/lkst/mark t >/dev/null
put masksets/current marks >/dev/null
state() { echo "$(get "handlers/$1/seen") $(get "handlers/$1/fired") $(get "handlers/$1/suppressed")"; }

# poller TOTAL [MS]: one begins to poll.
poller() {
	rm -f /tmp/polling
	./firings t "$@" >/tmp/firings 2>&1 &
	poller=$!
	while [ ! -e /tmp/polling ] && [ -d /proc/$poller ]; do usleep 1000; done
}
# It has ended: what it read last into $total, and how often it woke into $wakeups.
polled() {
	total='' wakeups=0
	if wait "$poller"; then
		read -r total wakeups </tmp/firings
	else
		sed 's/^/# /' /tmp/firings
	fi
}
# Settings of the trigger, and begin anew.
set_up() {
	for f in "after 0" "every 1" "limit 0" "ratelimit 0" "$@" "fired 0"; do
		put "handlers/t/${f% *}" "${f#* }" >/dev/null
	done
}

# 10,000 a second, as far as the machine goes along; one for each period.
for c in softirq hardirq nmi; do
	for cpu in 0 1; do
		set_up
		poller 10000 200
		fire "$cpu" "$c" 10000 1 100
		polled
		same "$c on CPU $cpu: who polls learns of all 10000" "10000 10000" \
			"$total $(get handlers/t/fired)"
		[ "$wakeups" -ge 50 ] && [ "$wakeups" -le 10001 ]
		result $? "$c on CPU $cpu: it woke often, but not more often than that ($wakeups)"
	done
done
# Two at once, from both CPUs, and a burst.
set_up
poller 60000 200
fire 0 nmi 10000 1 100 &
fire 1 hardirq 10000 1 100
wait $!
fire 0 thread 20000 &
fire 1 thread 20000
wait $!
polled
same "both CPUs at once: it learns of all" 60000 "$total"

# One at a time: each is seen by itself.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	set_up
	poller 1
	fire 1 hardirq 1
	polled
	echo "$total $wakeups"
done | sort | uniq -c | xargs >/tmp/single
same "one at a time: it wakes once for each" "10 1 1" "$(cat /tmp/single)"

# Several who poll.
set_up
pollers=''
for _ in 1 2 3 4; do
	poller 5000
	pollers="$pollers $poller"
done
fire 1 nmi 5000 1 100
code=0
for p in $pollers; do wait "$p" || code=1; done
result $code "four that poll learn of all"

# Which of the hits it learns of.
set_up "limit 70"
poller 70 300
fire 1 hardirq 2000 1 100
polled
same "with a limit it learns of so many" 70 "$total"
same "and no more fire" "2000 70 0" "$(state t)"
set_up "every 10" "after 5"
poller 200 300
fire 1 nmi 2000 1 100
polled
same "of each tenth" 200 "$total"
same "of so many" "2000 200 0" "$(state t)"
# These 4 s begin and end amid a second, so that in each there are enough to fire.
set_up "ratelimit 50"
poller 0 9000
while ! grep -q '^[0-9]*\.[345]' /proc/uptime; do usleep 20000; done
start=$(cut -d. -f1 /proc/uptime)
fire 1 hardirq 20000 1 200
took=$(($(cut -d. -f1 /proc/uptime) - start))
polled
fired=$(get handlers/t/fired)
same "with a rate it learns of what fires, and the rest is counted" "$fired 20000" \
	"$total $((fired + $(get handlers/t/suppressed)))"
# 20000 in $took seconds, more or less one at either end; in each of them 50.
[ $((fired % 50)) -eq 0 ] && [ "$fired" -ge $((50 * (took - 1))) ] &&
	[ "$fired" -le $((50 * (took + 2))) ]
result $? "which is 50 in a second ($fired in $took s)"

# Nobody polls, and somebody comes late.
set_up
same "a new beginning has suppressed none" "0 0 0" "$(state t)"
fire 1 hardirq 1000
poller 1000 100
polled
same "who comes late reads what it has missed" 1000 "$total"
set_up
poller 5 100
fire 1 nmi 5
polled
same "those after a new beginning" 5 "$total"
put masksets/current default >/dev/null

put handlers/create "trigger gone" >/dev/null
./wait-fired $K/handlers/gone/fired 0 &
until [ "$(cut -d' ' -f3 /proc/$!/stat)" = S ]; do usleep 10000; done
put handlers/remove gone >/dev/null
wait $!
same "who polls one that is removed is woken, and cannot read it" 1 $?

# The wakeup of who polls, and that of a worker which does it, are such events too. An
# idle machine stays idle.
# feeds EVENT: how often a trigger for it fires in 3 s, into $idle without and $fed with
# one who polls.
feeds() {
	put masksets/create feed >/dev/null
	put "masksets/feed/$1" t >/dev/null
	put masksets/current feed >/dev/null
	put handlers/t/fired 0 >/dev/null
	sleep 3
	idle=$(get handlers/t/fired)
	begun=$(cut -d. -f1 /proc/uptime)
	put handlers/t/fired 0 >/dev/null
	poller 0 3000
	polled
	fed=$(get handlers/t/fired)
	took=$(($(cut -d. -f1 /proc/uptime) - begun))
	suppressed=$(get handlers/t/suppressed)
	put masksets/current default >/dev/null
	put masksets/remove feed >/dev/null
	echo "# $1: $idle in 3 s, $fed when somebody polls, woken $wakeups times; $suppressed suppressed"
}
set_up
feeds sched/wakeup
[ "$fed" -gt 0 ] && [ "$fed" -le $((10 * idle + 200)) ]
result $? "sched/wakeup: who polls does not feed it"
pass "what the notices raise does not fire, and is counted" [ "$suppressed" -gt 0 ]
# Who polls sleeps again, which is a switch: a rate bounds that.
set_up "ratelimit 20"
feeds sched/switch
[ "$fed" -gt 0 ] && [ "$fed" -le $((20 * (took + 2))) ]
result $? "sched/switch: a rate holds"
pass "and what it forbids is counted" [ "$suppressed" -gt 0 ]
rmmod lkst_fire
finish
