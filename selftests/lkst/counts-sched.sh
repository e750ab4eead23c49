#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts: scheduler, waits, processes, interrupts, traps, timers, works.

. ./functions.sh
[ "$(cpus | wc -l)" -gt 1 ] || skip "one CPU"
insmod /modules/lkst_defer.ko || skip "no module lkst_defer"
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
# Swap, for pages that come from there.
dd if=/dev/zero of=/tmp/swap bs=1M count=8 2>/dev/null
loop=$(losetup -f)
losetup "$loop" /tmp/swap
mkswap "$loop" >/dev/null
swapon "$loop"
./counts-sched
code=$?
swapoff "$loop"
losetup -d "$loop"
rm -f /tmp/swap
rmmod lkst_defer lkst_fire
restore
exit $code
