#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="reserve_mem=64K:4096:small lkst.persist=small lkst.size=1M"
# Reserved memory that is too small: the log says so, and the boot buffer is what it
# is without.

. ./functions.sh
plan 4

same "the log says so" 1 "$(
	dmesg | grep -c "lkst: lkst.persist=small: 65536 bytes are too few for [0-9]* CPUs")"
same "the buffer" "1048576 65536" "$(get buffers/boot/size) $(get buffers/boot/packet)"
same "there is no other" boot "$(cd $K/buffers && ls -d [!cr]*)"
put buffers/boot/size 2M >/dev/null
same "its size can be changed" 2097152 "$(get buffers/boot/size)"
finish
