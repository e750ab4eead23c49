#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lkst=locks"
# A boot whose maskset does not record sched/switch: no record says which thread ran,
# as nothing tells, and none is given to the first thread.

. ./functions.sh
plan 3

same "the maskset" "locks 1" "$(get masksets/current) $(get enabled)"
put masksets/current none >/dev/null
sed 1,2d $P/trace >/tmp/trace
pass "there are records" grep -q ' lock/' /tmp/trace
same "no record tells a thread" "" "$(awk '$3 != "?"' /tmp/trace | head -n 3)"
finish
