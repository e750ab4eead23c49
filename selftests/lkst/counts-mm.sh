#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts, of what is done with memory.
#
# guest: memory=256M

. ./functions.sh
[ -b /dev/ram0 ] || skip "no ram disk"
mkswap /dev/ram1 >/dev/null
./counts-mm /dev/ram0 /dev/ram1 /modules/lkst_memory.ko
code=$?
restore
# Memory runs out, once, and that is meant.
if splatscan | grep -v -e '^splat Out of memory: Killed process' \
	-e '^splat hungry: page allocation failure'; then code=1; fi
dmesg -c >/dev/null
exit $code
