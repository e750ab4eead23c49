#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad input to every file that can be written: the right errno, and no change.

. ./functions.sh
# The kernel says what is wrong with each; the console need not.
was=$(cut -f1 /proc/sys/kernel/printk)
dmesg -n 4
./badinput
code=$?
dmesg -n "$was"
restore
exit $code
