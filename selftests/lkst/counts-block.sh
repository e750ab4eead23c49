#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts, of I/O to a block device: one whose queue holds only a few pieces.
#
# guest: disk

. ./functions.sh
[ -b /dev/vda ] || skip "no disk"
./counts-block /dev/vda
code=$?
restore
exit $code
