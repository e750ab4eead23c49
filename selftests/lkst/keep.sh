#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=600
# A trigger keeps a buffer: with the event and exactly so many of the CPU's records
# behind it, at whatever place in a packet, from every context; and as it is then
# it stays, whatever is recorded in the next one.
#
# usage: keep.sh [SECONDS of load after an incident]

. ./functions.sh
seconds=${1:-0}
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 55

# The sum of a counter over all CPUs.
sum() { cat "$K/buffers/$1/"cpu*/"$2" | awk '{ n += $1 } END { print n }'; }
# Begin anew in the buffer $1, the others empty.
begin() {
	put masksets/current none >/dev/null
	for b in "$K"/buffers/*/reset; do
		[ "$b" = $K/buffers/boot/reset ] || echo 1 >"$b"
	done
	put buffers/current "$1" >/dev/null
	put handlers/t/fired 0 >/dev/null
	put masksets/current marks >/dev/null
}
end() { put masksets/current none >/dev/null; }

put buffers/create "one size=16K packet=4K" >/dev/null
put buffers/create "two size=16K packet=4K" >/dev/null
put buffers/create "three size=16K packet=4K" >/dev/null
put masksets/create marks >/dev/null

# Links.
same "a new buffer is linked to none" none "$(get buffers/one/next)"
same "link it" "ok two" "$(put buffers/one/next two) $(get buffers/one/next)"
same "to itself, to none that is there" "EINVAL ENOENT two" \
	"$(put buffers/one/next one) $(put buffers/one/next nobody) $(get buffers/one/next)"
same "what is linked cannot be removed" "EBUSY two" \
	"$(put buffers/remove two) $(get buffers/two/mode | sed 's/overwrite/two/')"
same "to another" "ok three ok" "$(put buffers/one/next three) $(get buffers/one/next) $(
	put buffers/remove two)"
put buffers/create "two size=16K packet=4K" >/dev/null
put buffers/current one >/dev/null
same "shift by hand" "ok three" "$(put buffers/current next) $(get buffers/current)"
same "where there is no link it stays" "ok three" "$(put buffers/current next) $(
	get buffers/current)"
put buffers/current boot >/dev/null
same "one that has a link can be removed, and what it was linked to" "ok ok" \
	"$(put buffers/remove one) $(put buffers/remove three)"
for b in one three; do
	put buffers/create "$b size=16K packet=4K" >/dev/null
done
same "a link outlives a reset and another size" "ok ok ok two" "$(put buffers/one/next two) $(
	put buffers/one/reset 1) $(put buffers/one/size 32K) $(get buffers/one/next)"
put buffers/one/size 16K >/dev/null

# At once, and after some records. 1000 marks go round 4 packets of 167.
trigger t match "a == 1000"
put masksets/marks/lkst/mark t >/dev/null
put handlers/t/action "buffer three" >/dev/null
same "what an action names cannot be removed" EBUSY "$(put buffers/remove three)"
# kept CONTEXT AFTER ACTION: and what is in the next buffer.
kept() {
	put handlers/t/action "$3" >/dev/null
	begin one
	fire 1 "$1" $((1300 + $2))
	now=$(get buffers/current)
	end
	last=$((1000 + $2))
	# A full ring of 4 packets begins at most one packet and three late.
	hits="$(sum one hits) $(sum two hits)"
	next=$(sequence_of two)
	same "$1, $3: the event and its $2 followers" \
		"two, $((last + 1))-$((1300 + $2)), $last, $last $((300))" \
		"$now, $next, $(sequence_of one | sed 's/^[0-9]*-//'), $hits"
	first=$(sequence_of one | sed 's/-.*//')
	[ "$first" -gt 300 ] && [ "$first" -lt $((last - 490)) ]
	code=$?
	[ $code -eq 0 ] || result 1 "$1, $3: from $first on"
}
for c in $contexts; do
	kept "$c" 0 "buffer next"
	kept "$c" 1 "keep after 1"
	kept "$c" 2 "buffer next after 2"
	kept "$c" 7 "keep two after 7"
	kept "$c" 100 "buffer two after 100"
	kept "$c" 400 "keep after 400"
done

# The other CPU's records do not count.
put handlers/t/action "keep after 100" >/dev/null
put handlers/t/match "a == 1000 && current.cpu == 1" >/dev/null
begin one
fire 1 hardirq 1050
fire 0 hardirq 500 5000
fire 1 hardirq 100 1051
end
same "another CPU's records do not count" "1100 5499, 1101-1150" \
	"$(sequence_of one cpu1 | sed 's/.*-//') $(sequence_of one cpu0 | sed 's/.*-//'), $(
	sequence_of two)"

# To name the current buffer again is no switch.
put handlers/t/match "a == 1000" >/dev/null
begin one
fire 1 hardirq 1010
put buffers/current one >/dev/null
fire 1 hardirq 200 1011
end
same "the same buffer again ends nothing" "1100 1101-1210" \
	"$(sequence_of one | sed 's/.*-//') $(sequence_of two)"

# An incident while the followers of another are counted is not one of its own.
put handlers/t/match "a == 1000 || a == 1005" >/dev/null
put handlers/t/action "keep after 10" >/dev/null
begin one
fire 1 nmi 1100
end
same "two incidents soon after one another" "1010 1011-1100 2" \
	"$(sequence_of one | sed 's/.*-//') $(sequence_of two) $(get handlers/t/fired)"

# Somebody else switches while followers are counted: nothing is left of that.
put buffers/two/next three >/dev/null
put handlers/t/match "a == 1000" >/dev/null
put handlers/t/action "keep after 50" >/dev/null
begin one
fire 1 thread 1010
put buffers/current two >/dev/null
fire 1 thread 200 1011
end
same "a switch by hand is the end of a count" "two 1010 1011-1210" \
	"$(get buffers/current) $(sequence_of one | sed 's/.*-//') $(sequence_of two)"
begin one
fire 1 hardirq 1010
put buffers/current two >/dev/null
put buffers/current one >/dev/null
fire 1 hardirq 200 1011
end
same "so it is when somebody switches back" "one 1210" \
	"$(get buffers/current) $(sequence_of one | sed 's/.*-//')"
begin one
fire 1 nmi 1010
put buffers/current two >/dev/null
put buffers/one/next none >/dev/null
same "the buffer whose records are counted can go" ok "$(put buffers/remove one)"
fire 1 nmi 1100
same "and that is the end of the count" "three 1051-1100 1050" "$(get buffers/current) $(
	sequence_of three) $(sequence_of two | sed 's/.*-//')"
end
put buffers/create "one size=16K packet=4K" >/dev/null
put buffers/one/next two >/dev/null
put buffers/two/next none >/dev/null

# The buffer is taken away while followers are counted.
put handlers/t/action "buffer three after 50" >/dev/null
begin one
fire 1 thread 1010
same "an action is taken back while a count is under way" "ok ok" \
	"$(put handlers/t/action none) $(put buffers/remove three)"
fire 1 thread 200 1011
end
same "nothing is switched then" "one 1210" \
	"$(get buffers/current) $(sequence_of one | sed 's/.*-//')"
put buffers/create "three size=16K packet=4K" >/dev/null

# Without a link.
put buffers/one/next none >/dev/null
put handlers/t/action keep >/dev/null
begin one
fire 1 hardirq 1200
same "without a link it stays, and goes on" "one 1 1200" "$(get buffers/current) $(
	get handlers/t/fired) $(end; sequence_of one | sed 's/.*-//')"
put handlers/t/action "keep after 20" >/dev/null
begin one
fire 1 hardirq 1200
same "after some records too" "one 1 1200" "$(get buffers/current) $(
	get handlers/t/fired) $(end; sequence_of one | sed 's/.*-//')"

# A ring of buffers holds the last incidents.
put buffers/one/next two >/dev/null
put buffers/two/next three >/dev/null
put buffers/three/next one >/dev/null
put handlers/t/match none >/dev/null
put handlers/t/after 1000 >/dev/null
put handlers/t/every 1000 >/dev/null
put handlers/t/action "keep after 10" >/dev/null
for c in $contexts; do
	begin one
	fire 1 "$c" 5500
	now=$(get buffers/current)
	end
	# The one that is written holds its own last part, and what came before it.
	same "$c: three buffers hold the last incidents" "5 three 4010 5010 5500" \
		"$(get handlers/t/fired) $now $(
		for b in one two three; do sequence_of $b | sed 's/.*-//'; done | xargs)"
done
put handlers/t/every 1 >/dev/null
put handlers/t/after 0 >/dev/null

# What is kept does not change any more.
sums() {
	for f in "$P/buffers/$1/"cpu[0-9]; do
		md5sum <"$f"
	done
	cat "$K/buffers/$1/"cpu*/*
}
put buffers/three/next none >/dev/null
put buffers/two/next none >/dev/null
put handlers/t/match "a == 1000" >/dev/null
put handlers/t/action "keep after 7" >/dev/null
begin one
fire 0 softirq 300
fire 1 nmi 1020
sums one >/tmp/sums
now=$(get buffers/current)
# While the next one is written from all contexts on both CPUs.
load() {
	for c in $contexts; do
		fire 0 "$c" 20000 100000 &
		fire 1 "$c" 20000 200000
		wait $!
	done
}
if [ "$seconds" -gt 0 ]; then
	insmod /modules/lkst_stress.ko
	# Not so much that a debug kernel does nothing else.
	echo 400 >/sys/module/lkst_stress/parameters/rest
	echo 400 >/sys/module/lkst_stress/parameters/period
	echo 1 >/sys/module/lkst_stress/parameters/run
	sleep "$seconds"
	echo 0 >/sys/module/lkst_stress/parameters/run
	rmmod lkst_stress
fi
load &
cp "$P/buffers/one/cpu1" /tmp/copy
wait $!
same "the next one is the current one" two "$now"
# A lap is at most 4 times 167 records.
for cpu in 0 1; do
	laps=$(($(get buffers/two/cpu$cpu/overwritten) / 668))
	[ $laps -ge 100 ]
	result $? "CPU $cpu went round it $laps times"
done
sums one >/tmp/sums.after
diff /tmp/sums /tmp/sums.after | sed 's/^/# /'
pass "what was kept is the same to the last byte" cmp /tmp/sums /tmp/sums.after
pass "a copy of it that was made meanwhile too" cmp /tmp/copy $P/buffers/one/cpu1
end
same "it ends with the event and its followers" "1007 300" \
	"$(sequence_of one cpu1 | sed 's/.*-//') $(sequence_of one cpu0 | sed 's/.*-//')"
rmmod lkst_fire
finish
