#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Reading the streams in /proc/lkst: see streams.c.

. ./functions.sh
insmod /modules/lkst_stress.ko || skip "no module lkst_stress"
./streams
code=$?
restore
rmmod lkst_stress
exit $code
