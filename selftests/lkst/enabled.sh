#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stop and start recording: the choice of maskset is kept, and can change meanwhile.

. ./functions.sh
plan 11

hits() { cat $K/buffers/run/cpu*/hits | awk '{ n += $1 } END { print n }'; }
own() { sed -n 's|.* lkst/\([a-z]*\) .*|\1|p' $P/trace | xargs; }
hooks() { sed -n 's/^events  *\([0-9]*\) of.*/\1/p' $P/status; }

for m in a b; do
	own_only $m
	put masksets/$m/net/transmit record >/dev/null
done
put masksets/b/net/transmit count >/dev/null
put buffers/create "run size=1M" >/dev/null
put masksets/current a >/dev/null
put buffers/current run >/dev/null

./marks 0 1 3
same "stop" "ok 0" "$(put enabled 0) $(get enabled)"
same "the name is kept" "a 1" "$(get masksets/current) $(get masksets/a/armed)"
same "no hook is on" 0 "$(hooks)"
same "what it would return to is in use" "EBUSY EBUSY" \
	"$(put masksets/remove a) $(put masksets/a/armed 0)"
before=$(hits)
./marks 0 4 6
./marks 1 7 9
same "nothing is recorded" "$before" "$(hits)"
same "choose another one meanwhile" "ok b 0" \
	"$(put masksets/current b) $(get masksets/current) $(get enabled)"
same "that records nothing either" "$before 0" "$(hits) $(hooks)"
put masksets/current a >/dev/null
same "start" "ok 1 a" "$(put enabled 1) $(get enabled) $(get masksets/current)"
./marks 0 10 12
same "what was recorded" "1-3 10-12" "$(marks_seen)"
put enabled 0 >/dev/null
put masksets/current b >/dev/null
put enabled 1 >/dev/null
./marks 0 13 15
same "start with the one that was chosen meanwhile" "b 1-3 10-12" \
	"$(get masksets/current) $(marks_seen)"
same "the trace tells of stops and starts" "buffer stop start stop start" "$(own)"
finish
