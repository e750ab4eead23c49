#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: cpus=2 disk time=400
# What begins ends, with all events on, over a minute of everything: see pairs.c.

. ./functions.sh
[ -e /sys/devices/system/cpu/cpu1/online ] || skip "CPU 1 cannot be turned off"
./pairs 60
code=$?
restore
exit $code
