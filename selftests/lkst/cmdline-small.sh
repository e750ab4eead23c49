#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=144M
# Where memory is small the boot buffers take no more than 1/32 of it.

. ./functions.sh
plan 3

cpus=$(find $K/buffers/boot -maxdepth 1 -name 'cpu*' | wc -l)
size=$(get buffers/boot/size)
total=$(awk '/MemTotal/ { print $2 * 1024 }' /proc/meminfo)
# What the kernel itself takes is not in MemTotal.
pass "at most 1/32 of memory" [ $((size * cpus)) -le $((total / 32 + (2 << 20))) ]
pass "and not much less" [ $((size * cpus)) -ge $((total / 32 / 4)) ]
same "the log says how much" 1 \
	"$(dmesg | grep -c "lkst: recording in buffer boot: $size bytes on each of $cpus CPUs")"
finish
