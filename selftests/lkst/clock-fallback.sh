#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="tsc=unstable"
# Without a time-stamp counter that can be trusted: the kernel's fast clock, in the
# same order and with the same accounts.

. ./functions.sh
plan 4

same "the clock" monotonic "$(get clock)"
same "status has it" "monotonic, 1000000000 Hz" "$(sed -n 's/^clock  *//p' $P/status)"
same "metadata has it" "monotonic 1000000000" "$(
	sed -n '/^clock {/,/^}/p' $P/metadata |
		sed -n 's/.*description = "\([a-z]*\)";.*/\1/p; s/.*freq = \([0-9]*\);.*/\1/p' | xargs)"
pass "order and accounts" ./order quick
finish
