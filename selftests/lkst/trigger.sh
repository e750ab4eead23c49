#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M
# Triggers: which hits fire, and that what an action puts in force is in force for
# the very next event, from every context.

. ./functions.sh
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 76

count_of() { awk '{ n += $1 } END { print n }' "$K/handlers/$1/count"; }
# What is behind a mark in the files of trigger $1.
state() { echo "$(get "handlers/$1/seen") $(get "handlers/$1/fired") $(get "handlers/$1/suppressed")"; }
# record MASKSET EVENT...
record() {
	to=$1
	shift
	for e; do put "masksets/$to/$e" record >/dev/null; done
}
# Begin anew, with the maskset $1 and an empty buffer.
begin() {
	put buffers/current boot >/dev/null
	put buffers/test/reset 1 >/dev/null
	put masksets/current "$1" >/dev/null
	put buffers/current test >/dev/null
}

put buffers/create "test size=256K packet=4K" >/dev/null

# Its files.
same "create" ok "$(put handlers/create "trigger first")"
same "what one is at first" "trigger none 0 1 0 0 none record 0 0 0" "$(
	for f in type match after every limit ratelimit action "then" seen fired suppressed; do
		get handlers/first/$f
	done | xargs)"
same "it has not fired" "" "$(get handlers/first/last)"
same "what is written is read" "5 3 7 100 none" "$(
	for f in "after 5" "every 3" "limit 7" "ratelimit 100" "then none"; do
		put "handlers/first/${f% *}" "${f#* }" >/dev/null
		get "handlers/first/${f% *}"
	done | xargs)"
put masksets/create named >/dev/null
put handlers/create "count other" >/dev/null
actions="maskset named; buffer test; buffer next after 7; handler other; handler none; notify; log; stop; start; panic"
same "all actions" "ok $actions" "$(
	put handlers/first/action "$actions") $(get handlers/first/action)"
same "keep is buffer" "ok buffer next; buffer next after 5; buffer test; buffer test after 9" "$(
	put handlers/first/action "keep; keep after 5;keep test ;  keep test after 9") $(
	get handlers/first/action)"
put handlers/first/action "maskset named; handler other; buffer test" >/dev/null
for what in masksets/named handlers/other buffers/test; do
	same "what it names cannot be removed: $what" EBUSY \
		"$(put ${what%/*}/remove ${what#*/})"
	same "the log says why" 1 "$(logged | grep -c " ${what#*/} is named by an action")"
done
same "until it does not" "ok ok ok" "$(put handlers/first/action none) $(
	put masksets/remove named) $(put handlers/remove other)"
put masksets/create marks >/dev/null
put masksets/marks/lkst/mark first >/dev/null
same "what is mapped cannot be removed" EBUSY "$(put handlers/remove first)"
same "the log says where it is" "handler first is mapped to lkst/mark in maskset marks" \
	"$(logged)"
put masksets/remove marks >/dev/null
same "remove it" "ok ENOENT" "$(put handlers/remove first) $(./attempt read $K/handlers/first/fired)"

# Which hits fire: each firing stands behind its mark.
put masksets/create marks >/dev/null
trigger t
put masksets/marks/lkst/mark t >/dev/null
record marks lkst/trigger lkst/maskset lkst/start lkst/stop
# fires NAME EXPECTED STATE FILE VALUE...: of 20 marks; then all is as at first.
fires() {
	name=$1 expected=$2 state=$3
	shift 3
	begin marks
	while [ $# -gt 0 ]; do
		put "handlers/t/$1" "$2" >/dev/null
		shift 2
	done
	fire 1 thread 20
	put masksets/current none >/dev/null
	same "$name" "$expected, $state" "$(sequence_of test), $(state t)"
	for f in "match none" "after 0" "every 1" "limit 0" "ratelimit 0" "then record" "fired 0"; do
		put "handlers/t/${f% *}" "${f#* }" >/dev/null
	done
}
fires "each hit fires" "$(seq 20 | sed 's/$/ trigger/' | xargs)" "20 20 0"
fires "from the 5th on" "1-5 $(seq 6 20 | sed 's/^/trigger /' | xargs) trigger" \
	"20 16 0" after 5
fires "once" "1-5 trigger 6-20" "20 1 0" after 5 limit 1
fires "each 4th from the 3rd on" "1-3 trigger 4-7 trigger 8-11 trigger 12-20" \
	"20 3 0" after 3 every 4 limit 3
fires "each 5th from the first on" \
	"1 trigger 2-6 trigger 7-11 trigger 12-16 trigger 17-20" "20 4 0" every 5
fires "what the limit forbids is not counted" "1 trigger 2-20" "20 1 0" limit 1 ratelimit 1
fires "nothing is recorded" "trigger trigger" "20 2 0" after 10 every 10 \
	"then" none
fires "a condition: all are recorded" "1-5 trigger 6-18 trigger 19 trigger 20 trigger" \
	"4 4 0" match "a == 5 || a >= 18 && b == 0"
fires "a condition that is never true" "1-20" "0 0 0" match "a == 21"
fires "of what is hit under a condition only each second fires" \
	"1-12 trigger 13-14 trigger 15-16 trigger 17-18 trigger 19-20 trigger" \
	"10 5 0" match "a > 10" after 2 every 2
trigger often ratelimit 3
put masksets/marks/lkst/mark often >/dev/null
begin marks
fire 1 thread 1000
fired=$(get handlers/often/fired)
same "all of many hits are seen, and what the rate forbids is counted" "1000 1000" \
	"$(get handlers/often/seen) $((fired + $(get handlers/often/suppressed)))"
# They take some milliseconds, which may be the end of a second.
[ "$fired" -ge 3 ] && [ "$fired" -le 15 ] && [ $((fired % 3)) -eq 0 ]
result $? "three fire in a second"
same "0 to fired begins anew" "ok 0 0" "$(put handlers/often/fired 0) $(
	get handlers/often/seen) $(get handlers/often/fired)"
put masksets/marks/lkst/mark t >/dev/null
put handlers/t/then none >/dev/null
put handlers/t/match "b == 2" >/dev/null
fire 1 hardirq 7
at=$(cut -d' ' -f1 /proc/uptime)
put masksets/current none >/dev/null
same "where it fired last" "cpu=1 lkst/mark" "$(get handlers/t/last | cut -d' ' -f2,4)"
get handlers/t/last | awk -v at="$at" '{ exit !($1 > at - 5 && $1 < at + 1) }'
result $? "and when"
# Another source, of which the number of hits is known too.
put masksets/marks/lkst/mark none >/dev/null
put handlers/t/match "len == 52" >/dev/null
put handlers/t/then record >/dev/null
same "a condition that the event cannot have" "EINVAL none" "$(
	put masksets/marks/lkst/mark t) $(get masksets/marks/lkst/mark)"
same "the log says it" "lkst/mark does not have the fields of the condition of t" "$(logged)"
same "one that it can have" "ok t" "$(put masksets/marks/net/transmit t) $(
	get masksets/marks/net/transmit)"
same "of a whole group all must have the fields" "EINVAL record" "$(
	put masksets/marks/lkst/all t) $(get masksets/marks/lkst/trigger)"
begin marks
put handlers/t/fired 0 >/dev/null
./marks 1 1 20
put masksets/current none >/dev/null
put buffers/current test >/dev/null
same "a condition on a packet's length" "1-20, 1 1 0, 11" "$(marks_seen), $(state t), $(
	sequence_of test | tr ' ' '\n' | grep -n trigger | cut -d: -f1)"
same "a condition that what it is mapped to cannot have" "EINVAL len == 52" "$(
	put handlers/t/match "a == 1") $(get handlers/t/match)"
same "the log says where" \
	"handler t is mapped to net/transmit, which does not have the fields of the condition" \
	"$(logged)"
put handlers/t/match "len == 52" >/dev/null
trigger misfit action "handler t"
put masksets/marks/net/transmit none >/dev/null
put masksets/marks/lkst/mark misfit >/dev/null
begin marks
fire 1 thread 3
same "nor can an action map it to that" "3 misfit" \
	"$(get handlers/misfit/fired) $(get masksets/marks/lkst/mark)"
same "so the condition can be changed" "ok" "$(put handlers/t/match "a == 1")"
put masksets/marks/lkst/mark none >/dev/null
same "a trigger in a built-in set" "EPERM none" "$(put masksets/none/lkst/mark t) $(
	get masksets/none/lkst/mark)"
put masksets/marks/net/transmit none >/dev/null
put handlers/t/match none >/dev/null

# Use 1: count cheaply, and from the Nth hit on record details.
put handlers/create "detail close" >/dev/null
details="regs stack task"
put handlers/t/then none >/dev/null
put handlers/t/after 5 >/dev/null
put handlers/t/action "handler close" >/dev/null
for c in $contexts; do
	put masksets/marks/lkst/mark t >/dev/null
	put handlers/t/fired 0 >/dev/null
	begin marks
	fire 1 "$c" 8
	put masksets/current none >/dev/null
	# No registers where a soft interrupt comes in a thread of the kernel.
	same "$c: from the 5th hit on there are details" \
		"trigger 6 $details 7 $details 8 $details, 5 1 0, close" \
		"$(sequence_of test | sed 's/ regs//g; s/stack/regs stack/g'), $(
		state t), $(get masksets/marks/lkst/mark)"
done
put handlers/create "count rest" >/dev/null
put handlers/t/limit 1 >/dev/null
put handlers/t/action "handler rest" >/dev/null
was=0
for c in "thread thread" "hardirq nmi" "nmi softirq"; do
	put masksets/marks/lkst/mark t >/dev/null
	put handlers/t/fired 0 >/dev/null
	put handlers/t/after 15000 >/dev/null
	begin marks
	fire 0 "${c% *}" 20000 &
	fire 1 "${c#* }" 20000
	wait $!
	put masksets/current none >/dev/null
	all=$(($(count_of rest) - was))
	same "$c, two CPUs at once: it fires once, and each hit is counted once" \
		"1 40000 trigger" "$(get handlers/t/fired) $((all + $(get handlers/t/seen))) $(
		sequence_of test)"
	was=$((was + all))
	# What the other CPU has looked up by then is seen after it.
	seen=$(get handlers/t/seen)
	[ "$seen" -ge 15000 ]
	result $? "$c: it was seen 15000 times, and $((seen - 15000)) that had begun"
done
put handlers/t/limit 0 >/dev/null

# Use 2: another maskset.
put masksets/create related >/dev/null
record related lkst/mark net/transmit
hooks() { sed -n 's/^events *\([0-9]*\) of.* hooks on$/\1/p' $P/status; }
put handlers/t/action none >/dev/null
put masksets/marks/lkst/mark t >/dev/null
put handlers/t/after 5 >/dev/null
put masksets/current marks >/dev/null
before=$(hooks)
put handlers/t/action "maskset related" >/dev/null
same "the hooks of what an action reaches are on" $((before + 1)) "$(hooks)"
record related lkst/maskset
for c in $contexts; do
	put handlers/t/fired 0 >/dev/null
	begin marks
	./marks 1 1 3
	fire 1 "$c" 1000
	./marks 1 4 6
	same "$c: all from the next event on" \
		"trigger maskset:related 6-1000 transmit transmit transmit, related" \
		"$(sequence_of test), $(get masksets/current)"
	same "$c: none of its events before" 4-6 "$(marks_seen)"
done

# Several actions, in their order.
put buffers/create "second size=64K packet=4K" >/dev/null
record marks lkst/buffer
record related lkst/buffer
put handlers/t/then record >/dev/null
put handlers/t/action "maskset related; buffer second; handler none" >/dev/null
for c in $contexts; do
	put handlers/t/fired 0 >/dev/null
	put masksets/marks/lkst/mark t >/dev/null
	put buffers/second/reset 1 >/dev/null
	begin marks
	fire 1 "$c" 10
	put masksets/current none >/dev/null
	same "$c: three actions" \
		"buffer:second 6-10, buffer:test 1-5 trigger maskset:related, none" \
		"$(sequence_of second), $(sequence_of test), $(get masksets/marks/lkst/mark)"
done

# Stop, start, log.
put masksets/marks/lkst/buffer none >/dev/null
put handlers/t/action stop >/dev/null
for c in $contexts; do
	put handlers/t/fired 0 >/dev/null
	put masksets/marks/lkst/mark t >/dev/null
	begin marks
	fire 1 "$c" 10
	same "$c: stop" "0 marks, 1-5 trigger stop, 5 1 0" \
		"$(get enabled) $(get masksets/current), $(sequence_of test), $(state t)"
	put enabled 1 >/dev/null
done
put handlers/t/action "stop; start" >/dev/null
put handlers/t/limit 1 >/dev/null
for c in $contexts; do
	put handlers/t/fired 0 >/dev/null
	begin marks
	fire 1 "$c" 10
	same "$c: stop and start again" "1 marks, 1-5 trigger stop start 6-10" \
		"$(get enabled) $(get masksets/current), $(sequence_of test)"
done
put handlers/t/action log >/dev/null
for c in $contexts; do
	put handlers/t/fired 0 >/dev/null
	begin marks
	fire 1 "$c" 10
	same "$c: log" "handler t fired, 1 times so far, last at lkst/mark on CPU 1 in thread $(
		get handlers/t/last | sed 's/.*tid=\([0-9]*\) .*/\1/')" "$(logged)"
done
rmmod lkst_fire
finish
