#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A step of wall time: a record has all clocks, and metadata the new offset.

. ./functions.sh
plan 7

# Seconds of wall time, by the metadata, when the trace clock was 0.
offset() { sed -n 's/.*offset_s = \([0-9]*\);.*/\1/p' $P/metadata; }
field() { sed -n "s/.* $1=\([0-9]*\).*/\1/p" /tmp/record; }
# The same by the kernel's own clocks: nothing that takes long in between changes it.
expected() { echo $(($(date +%s) - $(cut -d. -f1 /proc/uptime))); }
near() { [ "$1" -ge $(($2 - $3)) ] && [ "$1" -le $(($2 + $3)) ]; }

own_only clocks
put masksets/current clocks >/dev/null
put buffers/create "clocks size=64K packet=4K" >/dev/null
put buffers/current clocks >/dev/null
day=86400
apart=$(($(offset) - $(expected)))
wall=$(date +%s)
now=$((wall + day))
date -s @$now >/dev/null
grep 'lkst/clock' $P/trace | tail -n 1 >/tmp/record
up=$(sed 's/[. ].*//' /proc/uptime)

pass "there is a record" [ -s /tmp/record ]
pass "with the new wall time" near $(($(field wall) / 1000000000)) $now 2
pass "CLOCK_MONOTONIC" near $(($(field mono) / 1000000000)) "$up" 2
pass "CLOCK_BOOTTIME" near $(($(field boot) / 1000000000)) "$up" 2
pass "metadata says when the clock was 0" near "$(offset)" $(($(expected) + apart)) 2
pass "which is a day later" near "$(expected)" $((now - up)) 60
date -s @$(($(date +%s) - day)) >/dev/null
pass "and back" near "$(offset)" $(($(expected) + apart)) 2
finish
