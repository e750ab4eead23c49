#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lockdown=confidentiality"
# Under lockdown what was recorded is refused; what controls recording is not.

. ./functions.sh
plan 10

same "lockdown is on" "none integrity [confidentiality]" "$(cat /sys/kernel/security/lockdown)"
same "the trace" EPERM "$(./attempt read $P/trace)"
for cpu in $(cpus); do
	same "the packets of $cpu" "EPERM EPERM" "$(
		./attempt read "$P/buffers/boot/$cpu") $(
		./attempt read "$P/buffers/boot/$cpu.open")"
done
put buffers/create "other size=64K packet=4K" >/dev/null
same "those of another buffer" EPERM "$(./attempt read $P/buffers/other/cpu0)"
same "state and metadata can be read" "ok ok ok" "$(./attempt read $P/status) $(
	./attempt read $P/metadata) $(./attempt read $P/buffers/boot/metadata)"
same "the maskset can be switched" "ok all" \
	"$(put masksets/current all) $(get masksets/current)"
same "the buffer can be switched" "ok other" \
	"$(put buffers/current other) $(get buffers/current)"
put handlers/create "trigger t" >/dev/null
same "a trigger can be made, but no condition, which would tell what is recorded" \
	"EPERM none ok" "$(put handlers/t/match "nr == 1") $(get handlers/t/match) $(
	put handlers/t/match none)"
pass "recording goes on" [ "$(cat $K/buffers/other/cpu*/hits | sort -n | tail -n 1)" -gt 0 ]
finish
