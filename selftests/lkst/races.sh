#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: time=300
# Buffers come, change and go while they are written from all contexts, and while
# their files are open, polled and read: see races.c.

. ./functions.sh
S=/sys/module/lkst_stress/parameters

insmod /modules/lkst_stress.ko || skip "no module lkst_stress"
plan 3
put masksets/create race >/dev/null
put masksets/race/lkst/all record >/dev/null
put masksets/current race >/dev/null
echo 200 >$S/rest
echo 100 >$S/burst
free() { sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo; }

before=$(free)
echo 1 >$S/run
./races "${1:-30}"
result $? "what is open can be read whatever becomes of its buffer"
echo 0 >$S/run
restore
[ ! -e $K/buffers/race0 ] && [ ! -e $K/buffers/race1 ] && [ ! -e $P/buffers/race2 ]
result $? "all buffers could be removed"
usleep 500000
after=$(free)
echo "# $before KiB of memory were available, now $after"
[ "$after" -gt $((before - 8192)) ]
result $? "their memory is free again"
rmmod lkst_stress
finish
