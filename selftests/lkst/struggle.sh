#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=600
# Masksets, handlers with actions, and buffers with links come, change and go while
# they are hit from all contexts and switched to by triggers: see struggle.c. At the
# end all can be removed, and all memory is free again.
#
# usage: struggle.sh [SECONDS]

. ./functions.sh
S=/sys/module/lkst_stress/parameters
leaks=/sys/kernel/debug/kmemleak

insmod /modules/lkst_stress.ko || skip "no module lkst_stress"
plan 5
free() { sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo; }
# The kernel says what is wrong with much of this; the console need not.
was=$(cut -f1 /proc/sys/kernel/printk)
dmesg -n 4
[ -e $leaks ] || mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
echo 200 >$S/rest
echo 20 >$S/burst
echo 400 >$S/period

# A round to begin with: what is allocated once is.
./struggle 2 >/dev/null
restore
before=$(free)
echo 1 >$S/run
./struggle "${1:-20}"
result $? "whatever cannot be is refused as it should be"
echo 0 >$S/run
restore
same "all can be removed" "all analysis boot count default locks none record" "$(
	(cd $K && ls -d masksets/*/ handlers/*/ buffers/*/) | cut -d/ -f2 | sort | xargs)"
pass "nor is anything left of them in /proc" [ "$(ls $P/buffers)" = boot ]
usleep 500000
after=$(free)
echo "# $before KiB of memory were available, now $after"
[ "$after" -gt $((before - 8192)) ]
result $? "their memory is free again"
found=
if [ -e $leaks ]; then
	# Only what is 5 s old is taken for one that leaks.
	sleep 6
	echo scan >$leaks
	echo scan >$leaks
	cat $leaks >/tmp/leaks
	grep lkst_ /tmp/leaks | sed 's/^/# /' | head -n 20
	found=$(grep -c lkst_ /tmp/leaks | grep -vx 0)
fi
same "nothing leaks$([ -e $leaks ] || echo ', as far as can be told here')" "" "$found"
dmesg -n "$was"
rmmod lkst_stress
finish
