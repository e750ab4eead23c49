#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: cpus=1
# Changes of a frequency, each a record. With more than one CPU the kernel would hold
# them against the TSC, and LKST take another clock.

. ./functions.sh
insmod /modules/lkst_freq.ko || skip "no module lkst_freq"
speed=/sys/devices/system/cpu/cpufreq/policy0/scaling_setspeed
plan 2

own_only frequencies
put masksets/frequencies/power/frequency record >/dev/null
put masksets/current frequencies >/dev/null
put buffers/create "frequencies size=1M" >/dev/null
put buffers/current frequencies >/dev/null
# It begins with the lowest; then each is another.
expected=''
for _ in 1 2 3 4 5 6 7 8 9 10; do
	for f in 2000000 3000000 1000000; do
		echo $f >$speed
		expected="$expected khz=$f"
	done
done
# The same again is no change.
echo 1000000 >$speed
put masksets/current none >/dev/null
grep ' power/frequency ' $P/trace >/tmp/frequencies
same "30 changes" "${expected# }" "$(grep -o 'khz=[0-9]*' /tmp/frequencies | xargs)"
same "of one CPU, the first" 30 "$(grep -c ' cpu=0 cpus=1$' /tmp/frequencies)"
put masksets/current default >/dev/null
rmmod lkst_freq
finish
