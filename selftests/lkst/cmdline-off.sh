#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lkst=off"
# lkst=off: nothing is there, and nothing is said about it.

. ./functions.sh
plan 3

same "no files in sysfs" ENOENT "$(./attempt read $K/enabled)"
same "no files in proc" ENOENT "$(./attempt read $P/status)"
same "nothing in the log" "" "$(dmesg | sed 's/^\[[^]]*\] //' | grep '^lkst')"
finish
