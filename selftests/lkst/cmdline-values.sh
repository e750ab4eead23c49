#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lkst=none lkst.size=1M lkst.packet=16K lkst.tasks=0"
# The boot begins with the maskset and the buffer that the command line asks for.

. ./functions.sh
plan 6

same "the maskset" "none 1" "$(get masksets/current) $(get enabled)"
same "the buffer" "boot 1048576 16384 overwrite" "$(get buffers/current) $(
	get buffers/boot/size) $(get buffers/boot/packet) $(get buffers/boot/mode)"
same "nothing was recorded" "0 0" "$(cat $K/buffers/boot/cpu*/hits | xargs)"
same "no hook is on" 0 "$(sed -n 's/^events  *\([0-9]*\) of.*/\1/p' $P/status)"
same "the parameters can be read" "1M 16K 0" "$(
	cd /sys/module/lkst/parameters && cat size packet tasks | xargs)"
put masksets/current default >/dev/null
./marks 0 1 5
same "recording can begin later" "1-5" "$(marks_seen)"
finish
