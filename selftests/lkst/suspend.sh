#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: cpus=2
# Suspend to RAM, short of the last step (after that QEMU could not power off): the
# clock goes on forward, and a record at resume has all clocks.

. ./functions.sh
[ -e /sys/power/pm_test ] || skip "no CONFIG_PM_DEBUG"
plan 11

field() { sed -n "s/.* $1=\([0-9]*\).*/\1/p" /tmp/record; }
woken() { dmesg | grep -c 'PM: suspend exit'; }

# sleeps FIRST COMMAND...: marks from FIRST on, before and after COMMAND.
sleeps() {
	first=$1
	shift
	./marks 0 "$first" $((first + 99))
	./marks 1 "$first" $((first + 99))
	times=$(woken)
	wall=$(date +%s)
	grep -c 'lkst/clock' $P/trace >/tmp/records
	pass "the machine sleeps and wakes" "$@"
	same "it did" $((times + 1)) "$(woken)"
	./marks 0 $((first + 100)) $((first + 199))
	./marks 1 $((first + 100)) $((first + 199))
	grep 'lkst/clock' $P/trace | tail -n +$(($(cat /tmp/records) + 1)) | head -n 1 >/tmp/record
	pass "a record has all clocks" [ -s /tmp/record ]
	pass "its wall time is that after the sleep" \
		[ $(($(field wall) / 1000000000)) -gt "$wall" ]
	pass "CLOCK_BOOTTIME went on while CLOCK_MONOTONIC did not" \
		[ $(($(field boot) - $(field mono))) -gt "${behind:-0}" ]
	behind=$(($(field boot) - $(field mono)))
}

# All phases, + where one begins.
phases() {
	sed -n 's|.* power/phase begin=\([01]\) what=[0-9]* name="\([^"]*\)".*|\1\2|p' \
		"$P/trace" | sed 's/^1/+/; s/^0/-/' | xargs
}

own_only suspend
put masksets/suspend/net/transmit record >/dev/null
put masksets/suspend/power/phase record >/dev/null
put masksets/current suspend >/dev/null
put buffers/create "suspend size=1M" >/dev/null
put buffers/current suspend >/dev/null
echo 2 >/sys/module/suspend/parameters/pm_test_delay
echo core >/sys/power/pm_test
sleeps 1 ./attempt write /sys/power/state mem
sleeps 201 ./attempt write /sys/power/state mem
put masksets/current none >/dev/null
put buffers/current boot >/dev/null
./packets suspend >/tmp/packets
same "both CPUs go on in order" \
	"0 marks=400 first=1 last=400 marks=400 first=1 last=400" \
	"$? $(sed 's/.*\(marks.*\)/\1/' /tmp/packets | xargs)"
finish
