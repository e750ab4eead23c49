#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: time=300
# The sample modules do what they say, and can go at any time: a handler that is
# mapped, or run by a CPU, and a watchdog that watches.

. ./functions.sh
B=/sys/module/lkst_bytes/parameters
W=/sys/module/lkst_watchdog/parameters
L=/sys/module/lkst_linger/parameters

[ -e /modules/lkst_bytes.ko ] || skip "no module lkst_bytes"
plan 27

# load NAME PARAMETER...: 0, or what is in the way.
load() {
	name=$1
	shift
	insmod "/modules/$name.ko" "$@" 2>&1 | sed 's/.*: //'
}

# holds FILE TEXT
holds() { [ "$(cat "$1")" = "$2" ]; }

# Wait until the handler was hit by CPU $1, from 1.
hits() {
	for _ in $(seq 2000); do
		[ "$(sed -n "$1p" $B/bytes)" = 0 ] || return 0
	done
	return 1
}

# What the first two CPUs have, and 0 for the others.
two() { cpus | awk -v a="$1" -v b="$2" '{ print NR == 1 ? a : NR == 2 ? b : 0 }' | xargs; }

# The length on the wire is 42 above the mark's number.
echo "quiet from none" >$K/masksets/create
echo record >$K/masksets/quiet/lkst/buffer
echo "led size=64K packet=4K" >$K/buffers/create
echo led >$K/buffers/current

same "the handler is there" " module" "$(load lkst_bytes) $(get handlers/bytes/type)"
same "under a name that is taken now" EEXIST "$(put handlers/create "count bytes")"
same "it goes only with its module" EPERM "$(put handlers/remove bytes)"
same "map an event to it" "ok bytes" \
	"$(put masksets/quiet/net/transmit bytes) $(get masksets/quiet/net/transmit)"
put masksets/current quiet >/dev/null
./marks 0 1 100
./marks 1 1 50
same "it sums the bytes of each CPU" "$(two 9250 3375)" "$(xargs <$B/bytes)"
same "and records nothing" "" "$(marks_seen)"
echo 1000 >$B/limit
./marks 0 900 1100
same "but what is longer than the limit" "959-1100" "$(marks_seen)"
same "all of it is summed" "$(two 218692 3375)" "$(xargs <$B/bytes)"
same "remove it while it is mapped" "0 none ENOENT" "$(
	rmmod lkst_bytes; echo $?) $(get masksets/quiet/net/transmit) $(
	./attempt read $K/handlers/bytes/type)"
put buffers/led/reset 1 >/dev/null
./marks 0 1 100
same "then the event is not recorded" "" "$(marks_seen)"

# While both CPUs hit it all the time.
(while :; do ./marks 0 1 100; done) &
first=$!
(while :; do ./marks 1 1 100; done) &
second=$!
rounds=0
while [ $rounds -lt 20 ]; do
	load lkst_bytes limit=100 >/tmp/load
	put masksets/quiet/net/transmit bytes >/dev/null
	if ! hits 1 || ! hits 2; then break; fi
	rmmod lkst_bytes || break
	rounds=$((rounds + 1))
done
kill $first $second
wait $first $second 2>/dev/null
same "loaded, hit on both CPUs and removed" 20 $rounds

# A CPU that is in a handler stays there until the module goes, and some longer.
taskset -p 2 $$ >/dev/null
same "a handler that lingers" " ok" "$(load lkst_linger) $(
	put masksets/quiet/net/transmit linger)"
./marks 0 1 1 &
await holds $L/inside Y
same "a CPU is in it" 0 $?
rmmod lkst_linger
same "unregistering waits for that CPU" "a CPU was inside 1, and is 0" \
	"$(dmesg | sed -n 's/.*lkst_linger: //p' | tail -n 1)"
wait
taskset -p 3 $$ >/dev/null

put masksets/quiet/net/transmit record >/dev/null
put buffers/led/reset 1 >/dev/null
echo "after size=64K packet=4K" >$K/buffers/create
same "a watchdog without a buffer" "Invalid argument" "$(load lkst_watchdog)"
same "with one that is not there" "Invalid argument" \
	"$(load lkst_watchdog buffer=nobody)"
same "with one that is" "" "$(load lkst_watchdog buffer=after timeout=1000)"
same "which it holds" EBUSY "$(put buffers/remove after)"
echo 1 >$W/beat && echo 0 >$W/beat
sleep 2
same "no beat is missed when the watch has ended" "0 led" "$(cat $W/missed) $(get buffers/current)"
echo 200 >$W/timeout
./marks 0 1 100
echo 1 >$W/beat
await holds $W/missed 1
./marks 0 101 200
same "a beat that is missed switches buffers" after "$(get buffers/current)"
same "that is in the log" \
	"no beat: what led to it is kept, recording goes on in buffer after" \
	"$(dmesg | sed -n 's/.*lkst_watchdog: //p' | tail -n 1)"
same "recording goes on" 101-200 "$(marks_seen)"
put buffers/current led >/dev/null
same "what led to it is kept" 1-100 "$(marks_seen)"
echo 1 >$W/beat
await holds $W/missed 2
same "the next beat begins anew" "2 after" "$(cat $W/missed) $(get buffers/current)"
echo 0 >$W/timeout
same "a beat that would be missed at once" EINVAL "$(./attempt write $W/beat 1)"
echo 3000 >$W/timeout
put buffers/current led >/dev/null
echo 1 >$W/beat
rmmod lkst_watchdog
same "remove it while it watches" 0 $?
sleep 4
same "it does nothing any more, and holds nothing" "led ok" \
	"$(get buffers/current) $(put buffers/remove after)"
finish
