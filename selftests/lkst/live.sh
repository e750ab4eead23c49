#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkst print -f and lkst stat, of the running kernel: each record once and in order,
# while packets, buffers, CPUs and readers come and go, until the end that was asked for.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
online=/sys/devices/system/cpu/cpu1/online
[ -e $online ] || skip "CPU 1 cannot be turned off"
plan 50
out=/tmp/live.out
err=/tmp/live.err

has_mark() { grep -qs " len=$((42 + $1)) " "$out"; }
await_mark() { await has_mark "$1" || echo "# mark $1 does not come"; }
await_word() { await grep -qs "$1" $err || echo "# it does not say: $1"; }

# The numbers of marks in the order of the lines, as ranges, and what is missing;
# of one CPU, or all.
seen() {
	awk -v cpu="$1" '
		cpu && $2 != cpu { next }
		/ net\/transmit / { sub(/.* len=/, ""); print $1 - 42 }
		/ overwritten$/ { print "gap" }' $out | ranges
}

# follow OPTION...: in the background. What is awaited is not what there was before.
follow() {
	rm -f $out $err
	lkst print -f -e net/transmit "$@" >$out 2>$err &
	pid=$!
}

is_gone() { ! kill -0 $pid 2>/dev/null; }

# ended NAME CODE: it ends so
ended() {
	await is_gone || kill -9 $pid
	wait $pid 2>/dev/null
	same "$1: exit code" "$2" $?
}

# stopped NAME MARKS: it is told to end, and has shown these
stopped() {
	kill -INT $pid
	ended "$1" 0
	same "$1: each mark once, in order" "$2" "$(seen)"
}

# Only marks, and no other record.
put masksets/create "marks from none" >/dev/null
put masksets/marks/net/transmit record >/dev/null
# fresh [OPTION...]: a new buffer, current
fresh() {
	put masksets/current none >/dev/null
	put buffers/current boot >/dev/null
	[ ! -e $K/buffers/flow ] || put buffers/remove flow >/dev/null
	put buffers/create "flow ${*:-size=1M}" >/dev/null
	put buffers/current flow >/dev/null
	put masksets/current marks >/dev/null
}

# A signal ends it, with all that there was.
for signal in INT TERM; do
	fresh
	./marks 0 1 20
	follow
	await_mark 20
	./marks 1 21 50
	await_mark 50
	./marks 0 51 60
	kill -$signal $pid
	ended SIG$signal 0
	same "SIG$signal: each mark once, in order" "1-60" "$(seen)"
	same "SIG$signal: nothing is said" "" "$(cat $err)"
done

# Both CPUs at once, many packets; and those that were there when it began.
fresh size=512K packet=4K
./marks 0 1 1000
follow
./marks 0 1001 3000 &
./marks 1 5001 7990
wait $!
./marks 1 7991 8000
await_mark 3000
await_mark 8000
kill -INT $pid
ended "two CPUs" 0
same "two CPUs: each mark of CPU 0" "1-3000" "$(seen cpu0)"
same "two CPUs: each mark of CPU 1" "5001-8000" "$(seen cpu1)"
awk '{ print $1 }' $out >/tmp/live.times
pass "two CPUs: in the order of time" sort -c -n /tmp/live.times

# Only the last of what was there, and all that comes.
follow -n 7
await_mark 8000
./marks 0 101 120
await_mark 120
stopped "the last lines" "7994-8000 101-120"

# Overtaken: the gap is in its place, and tells how many packets it is, the one of
# which a part was shown included.
fresh size=64K packet=4K
./marks 0 1 2000
each=$(od -An -t u4 -j 28 -N 4 $P/buffers/flow/cpu0 | xargs)
bytes=$((($(od -An -t u4 -j 64 -N 4 $P/buffers/flow/cpu0) / 8 - 88) / each))
fresh size=64K packet=4K
follow
./marks 0 1 130
await_mark 130
kill -STOP $pid
./marks 0 131 5000
kill -CONT $pid
await_mark 5000
first=$(seen | sed 's/.* gap \([0-9]*\)-.*/\1/')
stopped "overtaken" "1-130 gap $first-5000"
same "overtaken: packets of $each marks" $(((first - 1) / each - 130 / each)) \
	"$(awk '/ overwritten$/ { print $3 }' $out)"

# Recording stops and starts.
fresh
follow
./marks 0 1 20
await_mark 20
put enabled 0 >/dev/null
./marks 0 101 120
put enabled 1 >/dev/null
./marks 0 21 40
await_mark 40
stopped "stop and start" "1-40"

# CPU 1 goes and comes.
fresh
follow
./marks 1 1 20
await_mark 20
./marks 1 21 30
echo 0 >$online
./marks 0 31 50
await_mark 50
echo 1 >$online
./marks 1 51 70
await_mark 70
stopped "CPU 1 goes and comes" "1-70"

# Another buffer, which has other marks from before; then back, where a part of the
# packet that is open was shown. What comes right before each switch is not lost.
fresh
./marks 0 1001 1020
put buffers/create "other size=64K packet=4K" >/dev/null
put buffers/current other >/dev/null
./marks 0 1 20
follow
await_mark 20
./marks 1 21 30
put buffers/current flow >/dev/null
./marks 1 31 40
await_word "going on with buffer flow"
./marks 0 41 50
put buffers/current other >/dev/null
./marks 0 51 60
await_word "going on with buffer other"
./marks 1 61 1000
await_mark 1000
stopped "another buffer" "1-1000"
same "another buffer: it says so" "lkst: going on with buffer flow
lkst: going on with buffer other" "$(cat $err)"

# One that is named is followed alone, also when it is not current.
follow -b other -n 1
await_mark 1000
put buffers/current flow >/dev/null
./marks 0 2001 2020
put buffers/current other >/dev/null
./marks 0 1001 1020
await_mark 1020
stopped "a buffer by name" "1000-1020"

# Its rings are replaced, by some of another size, and by some as they were.
follow -n 1
await_mark 1020
./marks 0 1021 1040
put buffers/other/size 128K >/dev/null
./marks 0 1041 1060
await_word "buffer other begins anew"
./marks 1 1061 1080
put buffers/other/reset 1 >/dev/null
./marks 0 1081 2000
await_mark 2000
stopped "replaced" "1020-2000"
same "replaced: it says so" "lkst: buffer other begins anew
lkst: buffer other begins anew" "$(cat $err)"

# In discard mode what is read is gone: it is left to who reads it.
put buffers/create "some mode=discard size=64K packet=4K" >/dev/null
follow -n 1
await_mark 2000
put buffers/current some >/dev/null
await_word "buffer some is in discard mode"
./marks 0 1 100
put buffers/current other >/dev/null
await_word "going on with buffer other"
./marks 0 2001 2020
await_mark 2020
stopped "discard mode" "2000-2020"
same "discard mode: it takes nothing" 0 "$(cat $K/buffers/some/cpu*/consumed | sort -u)"
follow -b some
await_mark 100
put buffers/remove some >/dev/null
ended "removed" 0
same "removed: all that it had" "1-100" "$(seen)"
same "removed: it says so" "lkst: buffer some is no more" "$(cat $err)"

# To a time: also one at which nothing comes.
last=$(lkst print -n 1 -e net/transmit | awk '{ print $1 }')
until=$(echo "$last" | awk '{ print $1 + 5 }')
follow --since="$last" --until="$until"
i=2021
while ! is_gone && [ $i -lt 9000 ]; do
	./marks 0 $i $i
	usleep 2000
	i=$((i + 1))
done
ended "until" 0
lkst print -e net/transmit --since="$last" --until="$until" >/tmp/live.want
pass "until: all up to it" cmp /tmp/live.want $out
[ "$(lkst print -e net/transmit --since="$until" | wc -l)" -gt 0 ]
result $? "until: not what came then"
last=$(lkst print -n 1 -e net/transmit | awk '{ print $1 }')
until=$(echo "$last" | awk '{ print $1 + 2 }')
follow -n 1 --until="$until"
ended "until, nothing comes" 0
same "until, nothing comes: the last mark" "$((i - 1))" "$(seen)"

# Nobody reads what it prints: SIGPIPE ends it, though nothing comes.
mkfifo /tmp/live.pipe
lkst print -f -n 3 -e net/transmit >/tmp/live.pipe 2>$err &
pid=$!
head -n 3 /tmp/live.pipe >$out
same "pipe: what was read" "$((i - 3))-$((i - 1))" "$(seen)"
ended "pipe" 141
same "pipe: nothing is said" "" "$(cat $err)"
rm /tmp/live.pipe

# rows TABLE: of all tables together the sums by name
rows() {
	awk -v want="$1" '/ records\/s / { on = $NF == want; next }
		on && NF { n[$5] += $1; b[$5] += $2 }
		END { for (i in n) print i, n[i], b[i] }' $out | sort
}

# lkst stat counts what comes from its begin to its end, over a switch of buffers too.
put buffers/create "third size=1M" >/dev/null
for e in sched/switch process/exec process/rename; do
	put masksets/marks/$e record >/dev/null
done
rm -f $out $err
lkst stat -e net/transmit >$out 2>$err &
pid=$!
await grep -qs " task$" $out
./marks 0 1 700 &
m0=$!
./marks 1 1 900 &
m1=$!
wait $m0 $m1
put buffers/current third >/dev/null
await_word "going on with buffer third"
./marks 1 1 1000 &
m2=$!
wait $m2
kill -INT $pid
ended "stat" 0
same "stat: by event" "net/transmit 2600" "$(rows event | cut -d ' ' -f 1,2)"
same "stat: by CPU" "cpu0 700 cpu1 1900" "$(rows cpu | cut -d ' ' -f 1,2 | xargs)"
same "stat: by task" "$(printf '%s\n' "$m0-marks 700" "$m1-marks 900" "$m2-marks 1000" | sort | xargs)" \
	"$(rows task | cut -d ' ' -f 1,2 | xargs)"
more=$(($(rows event | cut -d ' ' -f 3) - 2600 * bytes))
[ $more -ge 0 ] && [ $more -le 80 ]
result $? "stat: of $bytes bytes each, or 8 more after a while"
for table in cpu task; do
	same "stat: the same by $table" "$(rows event | cut -d ' ' -f 3)" \
		"$(rows $table | awk '{ n += $3 } END { print n }')"
done
same "stat: it says nothing else" "lkst: going on with buffer third" "$(cat $err)"
same "stat: a table and its end" "0 1" "$(code lkst stat -n 1 -i 1) $(grep -c ' all$' /tmp/out)"
finish
