#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: memory=512M time=600
# lkst record keeps up with a load of all events for a minute, or says what it did not
# get, in parts of which the last are kept; it takes no more memory and files in the
# end than in the beginning. With a number it runs so many seconds.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
seconds=${1:-60}
plan 15
d=/tmp/load
rm -rf $d
mkdir $d

sum() { cat $K/buffers/"$1"/cpu*/"$2" | awk '{ n += $1 } END { print n }'; }
count() {
	awk -v what="$2" '{ for (i = 2; i < NF; i += 2) if ($i == what) n += $(i + 1) }
		END { print n + 0 }' "$1/.counts"
}

# held PID: its open files, but those of a moment, and its memory in KiB
held() {
	echo "$(for _ in 1 2 3 4 5 6 7 8 9 10; do
		find "/proc/$1/fd" -mindepth 1 | wc -l
		usleep 50000
	done | sort -n | head -n 1) $(awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status")"
}

# under_load NAME OPTION...: record with these for half of the time
under_load() {
	name=$1
	shift
	lkst record -m all -r 4M -k 3 -d $((seconds / 2))s -o "$d/$name" "$@" >$d/out 2>$d/err &
	pid=$!
	for cpu in 0 1; do
		taskset $((1 << cpu)) sh -c 'while :; do ls -R /sys/kernel /proc/sys >/dev/null; done' &
		load="$load $!"
	done 2>/dev/null
	sleep $((seconds / 8))
	before=$(held $pid)
	sleep $((seconds / 4))
	after=$(held $pid)
	wait $pid
	code=$?
	# shellcheck disable=SC2086 # numbers
	kill $load
	load=
	sed 's/^/# /' $d/out $d/err
	awk '$3 != $5 + $7 + $9 { bad = 1 } END { exit bad || NR < 2 }' "$d/$name/.counts"
	result $? "$name: produced == written + missed + lost"
	[ "$(count "$d/$name" written)" -gt $((seconds * 1000)) ]
	result $? "$name: that is much"
	[ $code = $(($(count "$d/$name" missed) + $(count "$d/$name" lost) > 0)) ]
	result $? "$name: the exit code says whether it is all"
	same "$name: parts that are kept" 3 "$(find "$d/$name" -name 'part-*' | wc -l)"
	removed=$(sed -n 's/^lkst: \([0-9]*\) records were in parts.*/\1/p' $d/err)
	same "$name: what was written is there, or was removed" "$(count "$d/$name" written)" \
		$((removed + $(lkst print -s "$d/$name" | awk '$2 == "records" { print $1 }')))
	[ "${after% *}" -le "${before% *}" ]
	result $? "$name: no more open files (${before% *}, then ${after% *})"
	[ "${after#* }" -le $((${before#* } + 256)) ]
	result $? "$name: memory ($before, then $after)"
}

put enabled 0 >/dev/null
put buffers/create "flight size=1M packet=16K" >/dev/null
put buffers/current flight >/dev/null
under_load follow
same "follow: produced is what the kernel counts" "$(sum flight hits)" \
	"$(count $d/follow produced)"
rm -rf $d/follow
under_load own --own --size 1M
rm -rf $d
finish
