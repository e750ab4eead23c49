#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=300
# lkst record and lkst snapshot write what was recorded, all of it or as much as they
# say, whatever comes in between: other buffers, CPUs that go, a full disk, a kill.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
plan 63
d=/tmp/record
rm -rf $d
mkdir $d

# The numbers of marks in a trace of one or more parts, as ranges.
marks() {
	for p in "$@"; do
		lkst print -e net/transmit "$p"
	done | awk '/ net\/transmit / { sub(/.* len=/, ""); print $1 - 42 }' | ranges
}

records() { lkst print -s "$1" 2>&1 | awk '$2 == "records" { print $1 }'; }
sum() { cat $K/buffers/"$1"/cpu*/"$2" | awk '{ n += $1 } END { print n }'; }
# count DIR WHAT: what the table says, of all CPUs
count() {
	awk -v what="$2" '{ for (i = 2; i < NF; i += 2) if ($i == what) n += $(i + 1) }
		END { print n + 0 }' "$1/.counts"
}

# adds_up NAME DIR [PART...]: on each CPU nothing is unaccounted for, and what is
# said to be written is there.
adds_up() {
	name=$1
	from=$2
	shift 2
	awk '$3 != $5 + $7 + $9 { bad = 1 } END { exit bad || !NR }' "$from/.counts"
	result $? "$name: produced == written + missed + lost"
	[ $# -gt 0 ] || set -- "$from"
	there=0
	for p in "$@"; do
		there=$((there + $(records "$p")))
	done
	same "$name: what was written is there" "$(count "$from" written)" $there
}

said() {
	grep -qF -- "$2" /tmp/err
	code=$?
	[ $code = 0 ] || sed 's/^/# /' /tmp/err
	result $code "$1"
}

own_only run
put masksets/run/net/transmit record >/dev/null
put masksets/run/sched/all record >/dev/null
put masksets/run/syscall/all record >/dev/null
# writes DIR: a trace is begun there; records from now on are in it
writes() { [ -e "$1/.tasks" ]; }
is() { [ "$(get "$1")" = "$2" ]; }
# fresh [SIZE...]: a new buffer, current, while nothing is recorded.
fresh() {
	put enabled 0 >/dev/null
	put buffers/current boot >/dev/null
	[ ! -e $K/buffers/flight ] || put buffers/remove flight >/dev/null
	put buffers/create "flight ${*:-size=4M}" >/dev/null
	put buffers/current flight >/dev/null
	put masksets/current run >/dev/null
}

# Snapshots.
fresh
put enabled 1 >/dev/null
./marks 0 1 20
./marks 1 21 50
same "snapshot while recording goes on" 0 "$(code lkst snapshot -o $d/s1)"
same "it has the marks" "1-50" "$(marks $d/s1)"
put enabled 0 >/dev/null
same "snapshot of a stopped buffer" 0 "$(code lkst snapshot -o $d/s2)"
same "it has as many records as the counters say" "$(sum flight readable)" "$(records $d/s2)"
same "nothing was consumed" "$(sum flight hits)" "$(sum flight readable)"
put buffers/current boot >/dev/null
same "snapshot of another buffer" 0 "$(code lkst snapshot -b flight -o $d/s3)"
same "it has as many" "$(records $d/s2)" "$(records $d/s3)"
grep -qx "$$ $$ record.sh" $d/s3/.tasks
result $? "names of threads"

# A command, in the current buffer; nothing is recorded before and after.
fresh
same "record a command" 0 "$(code lkst record -o $d/r1 -- ./marks 0 1 300)"
same "it has the marks" "1-300" "$(marks $d/r1)"
adds_up "command" $d/r1
same "produced is what the kernel counts" "$(sum flight hits)" "$(count $d/r1 produced)"
same "the buffer has it all too" "$(sum flight hits)" "$(sum flight readable)"
same "it is stopped again" 0 "$(get enabled)"

# Too slow for a small buffer: the reader stands still while its command runs.
cat >$d/slow <<'END'
kill -STOP $PPID
./marks 0 1 "$1"
kill -CONT $PPID
END
fresh size=64K packet=4K
same "a reader that stands still misses" 1 \
	"$(code lkst record -o $d/r2 -- sh $d/slow 6000)"
[ "$(count $d/r2 missed)" -gt 1000 ]
result $? "it missed $(count $d/r2 missed)"
said "it says so" "missed $(count $d/r2 missed) records: $(count $d/r2 gaps) packets were overwritten unread"
adds_up "missed" $d/r2
same "produced is what the kernel counts" "$(sum flight hits)" "$(count $d/r2 produced)"
same "the trace shows as many packets" "$(count $d/r2 gaps)" \
	"$(lkst print $d/r2 | sed -n 's/.* \([0-9]*\) \(packets overwritten\|earlier packets are not\).*/\1/p' |
		awk '{ n += $1 } END { print n }')"

# A buffer of its own.
fresh
put enabled 1 >/dev/null
same "own" 0 "$(code lkst record -O -m all -o $d/r3 -- ./marks 0 1 2000)"
same "it has the marks" "1-2000" "$(marks $d/r3)"
adds_up "own" $d/r3
same "nothing is missed or lost" "0 0" "$(count $d/r3 missed) $(count $d/r3 lost)"
same "all is as it was" "flight run boot flight" \
	"$(get buffers/current) $(get masksets/current) $(lkst list -n buffers | xargs)"
same "the flight recorder did not get the marks" 0 \
	"$(lkst print -b flight -e net/transmit | grep -c ' net/transmit ')"
same "own, too slow" 1 \
	"$(code lkst record -O -s 256K -o $d/r4 -- sh $d/slow 9000)"
[ "$(count $d/r4 lost)" -gt 1000 ]
result $? "it lost $(count $d/r4 lost)"
said "it says so" "lost $(count $d/r4 lost) records that found no room"
adds_up "lost" $d/r4
same "nothing is missed" 0 "$(count $d/r4 missed)"
same "the trace shows it" "$(count $d/r4 lost)" \
	"$(lkst print $d/r4 | sed -n 's/.* lost \([0-9]*\) records*$/\1/p' | awk '{ n += $1 } END { print n }')"

# Signals.
for signal in INT TERM; do
	fresh
	lkst record -o $d/$signal >/tmp/out 2>/tmp/err &
	pid=$!
	await is enabled 1
	./marks 0 1 50
	kill -$signal $pid
	wait $pid
	same "SIG$signal" "0 1-50" "$? $(marks $d/$signal)"
done

# Parts.
fresh size=64K packet=4K
same "parts" 0 "$(code lkst record -O -r 64K -o $d/parts -- ./marks 0 1 6000)"
same "they have the marks" "1-6000" "$(marks $d/parts/part-*)"
adds_up "parts" $d/parts $d/parts/part-*
same "they are read as one" "1-6000" "$(marks $d/parts)"
# All events at once can be too much for the ring, and it says so by the exit code.
kept=$(code lkst record -O -m all -r 256K -k 2 -o $d/kept -- ./marks 0 1 6000)
same "parts, some kept" "$([ "$(count $d/kept lost)" = 0 ] || echo 1)" "${kept#0}"
same "as many as were to be kept" 2 "$(find $d/kept -name 'part-*' | wc -l)"
removed=$(sed -n 's/^lkst: \([0-9]*\) records were in parts.*/\1/p' /tmp/err)
same "the rest is accounted for" "$(count $d/kept written)" \
	"$((removed + $(for p in "$d"/kept/part-*; do records "$p"; done | awk '{ n += $1 } END { print n }')))"

# Another buffer becomes current, and a buffer is replaced.
fresh
put enabled 1 >/dev/null
put buffers/create spare >/dev/null
lkst record -o $d/moves >/tmp/out 2>/tmp/err &
pid=$!
await writes $d/moves
./marks 0 1 50
put buffers/current spare >/dev/null
./marks 0 51 100
await writes $d/moves/part-000002
put buffers/spare/reset 1 >/dev/null
await writes $d/moves/part-000003
./marks 1 101 150
kill $pid
wait $pid
same "it goes along" "0 1-150" "$? $(marks $d/moves $d/moves/part-*)"
same "in three parts" 2 "$(find $d/moves -name 'part-*' | wc -l)"

# A CPU goes and comes.
fresh
same "hotplug" 0 "$(code lkst record -o $d/plug -- sh -c './marks 1 1 50
	echo 0 >/sys/devices/system/cpu/cpu1/online; ./marks 0 51 100
	echo 1 >/sys/devices/system/cpu/cpu1/online; ./marks 1 101 150')"
same "it has the marks" "1-150" "$(marks $d/plug)"
adds_up "hotplug" $d/plug
same "produced is what the kernel counts" "$(sum flight hits)" "$(count $d/plug produced)"

# A disk that is full half way.
mkdir $d/small
mount -t tmpfs -o size=2500K tmpfs $d/small
fresh
same "a full disk" 1 "$(code lkst record -O -m all -o $d/small/full -- sh -c './marks 0 1 9000; ls -lR /sys/kernel')"
said "it says so" "No space left on device: nothing more is written, what was is kept"
lkst print -s $d/small/full >/tmp/got 2>/tmp/got.err
same "what was written is whole" "" "$(cat /tmp/got.err)"
kept=$(awk '$2 == "records" { print $1 }' /tmp/got)
missed=$(sed -n 's/^lkst: missed \([0-9]*\) records.*/\1/p' /tmp/err)
same "written + missed + lost is what was produced" \
	"$(awk '/^  cpu[0-9]/ { n += $3 } END { print n }' /tmp/err)" \
	$((kept + missed + $(awk '/^  cpu[0-9]/ { n += $6 } END { print n }' /tmp/err)))
[ "$kept" -gt 1000 ] && [ "$missed" -gt 0 ]
result $? "that are $kept and $missed"
umount $d/small

# A kill.
fresh
put enabled 1 >/dev/null
lkst record -O -o $d/killed >/tmp/out 2>/tmp/err &
pid=$!
await is buffers/current record.$pid
kill -9 $pid
wait $pid
same "a kill leaves its buffer" "record.$pid" "$(get buffers/current)"
same "the next one" 0 "$(code lkst record -O -o $d/next -- ./marks 0 1 50)"
said "it says what it found" "removing buffer record.$pid"
same "it has the marks" "1-50" "$(marks $d/next)"
same "and leaves all as it was before" "flight boot flight spare" \
	"$(get buffers/current) $(lkst list -n buffers | xargs)"
rm -rf $d
finish
