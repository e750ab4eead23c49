#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: parallel append="lkst=none"
# Every hit is accounted for, on every CPU, in both modes: a four-packet buffer
# under load from every context, NMIs included, and a reader that stops for a
# while. The module lkst_stress counts by itself. Its hook is the only one that is
# ever on, so that nothing that runs is patched.
#
# usage: accounting.sh [SECONDS [BURST]]

. ./functions.sh
S=/sys/module/lkst_stress/parameters
seconds=${1:-15}
cpus=$(nproc)
records=166	# marks that fill a packet of 4096 bytes

insmod /modules/lkst_stress.ko || skip "no module lkst_stress"
plan $((2 * (1 + cpus * 5)))
[ -z "${2:-}" ] || echo "$2" >$S/burst
put masksets/create stress >/dev/null
put masksets/stress/lkst/mark record >/dev/null

# field NAME LINE: the number after NAME.
field() { echo "$2" | sed "s/.* $1 \([0-9]*\).*/\1/"; }

check_cpu() {
	cpu=$1
	line=$(grep "^cpu $cpu " /tmp/follow)
	calls=$(sed -n "$((cpu + 1))p" $S/calls)
	# shellcheck disable=SC2086 # numbers
	set -- $calls
	total=$(($1 + $2 + $3 + $4))
	for f in hits lost readable consumed overwritten; do
		read -r value <"$K/buffers/stress/cpu$cpu/$f"
		eval "$f=$value"
	done
	# shellcheck disable=SC2154 # set above
	echo "# cpu$cpu: calls $calls: hits $hits lost $lost readable $readable consumed $consumed overwritten $overwritten"
	echo "# $line"
	got=$(field records "$line")
	gaps=$(field gaps "$line")
	[ "$1" -gt 0 ] && [ "$2" -gt 0 ] && [ "$3" -gt 0 ] && [ "$4" -gt 0 ]
	result $? "$mode, cpu$cpu: marks came from every context"
	same "$mode, cpu$cpu: hits are the calls" "$total" "$hits"
	same "$mode, cpu$cpu: hits are lost or reserved" "$hits" \
		$((lost + readable + consumed + overwritten))
	same "$mode, cpu$cpu: what was reserved was read or is in gaps" \
		$((hits - lost)) $((got + gaps * records))
	if [ "$mode" = discard ]; then
		same "$mode, cpu$cpu: no gaps" 0 "$gaps"
	else
		[ "$overwritten" -gt 0 ] && [ "$gaps" -gt 0 ]
		result $? "$mode, cpu$cpu: the reader was overtaken"
	fi
}

for mode in overwrite discard; do
	put buffers/create "stress size=16K packet=4K mode=$mode" >/dev/null
	put masksets/current stress >/dev/null
	usleep 10000
	put buffers/current stress >/dev/null
	./follow -p stress >/tmp/follow 2>&1 &
	follower=$!
	usleep 100000
	echo 1 >$S/run
	sleep "$seconds"
	echo 0 >$S/run
	put buffers/current boot >/dev/null
	put masksets/current none >/dev/null
	kill $follower
	wait $follower
	result $? "$mode: every record read is whole, once, and in order"
	grep '^#' /tmp/follow
	cpu=0
	while [ $cpu -lt "$cpus" ]; do
		check_cpu $cpu
		cpu=$((cpu + 1))
	done
	put buffers/remove stress >/dev/null
done
rmmod lkst_stress
finish
