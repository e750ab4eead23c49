#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run by the Makefile, which says where things are and for how long: KTAP.

set -eu
: "${O:?}" "${BIN:?}" "${LKST:?}" "${SECONDS_MAX:?}"
O=$(realpath "$O")
here=$PWD
tests=0
bad=0
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT

# report STATUS NAME LOG: the line of KTAP, and if it failed what was said
report() {
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $2"
	else
		tail -n 30 "$3" | sed 's/^/# /'
		echo "not ok $tests - $2"
		bad=1
	fi
}

# number N BYTES: N as so many bytes, the lowest first
number() {
	n=$1
	for _ in $(seq "$2"); do
		# shellcheck disable=SC2059 # its own escape
		printf "$(printf '\\%o' $((n & 255)))"
		n=$((n >> 8))
	done
}

# Dumps of each form, with only the pages that are not zero, below 32 MiB.
seeds_of_dumps() {
	dump=$O/seed
	"$BIN/mkdump" -m 8 -H 16 -l kinds "$O/full"
	"$BIN/redump" elf - "$O/full" "$dump"
	cp "$dump" "$1/elf"
	for how in raw zlib lzo snappy zstd; do
		"$BIN/redump" kdump "$how" "$dump" "$1/kdump-$how"
	done
	"$BIN/redump" kdump zlib "$dump" "$O/a" "$O/b"
	{
		printf PARTS
		number "$(stat -c %s "$O/a")" 4
		cat "$O/a" "$O/b"
	} >"$1/split"
	"$BIN/redump" flat - "$dump" "$1/flat-elf"
	"$BIN/redump" flat - "$1/kdump-zlib" "$1/flat-kdump"
	"$BIN/redump" lkcd8 rle "$dump" "$1/lkcd8-rle"
	"$BIN/redump" lkcd10 zlib "$dump" "$1/lkcd10-zlib"
	"$BIN/redump" migration 4096 "$dump" "$1/migration"
	"$BIN/redump" libvirt 4096 "$dump" "$1/libvirt"
	# Cases without vmcoreinfo, and with records that are damaged.
	for case in wrap strange symbols unfinished; do
		"$BIN/mkdump" -m 8 -H 16 -n "$case" "$O/full"
		"$BIN/redump" elf - "$O/full" "$1/scan-$case"
	done
	"$BIN/mkdump" -m 8 -H 16 symbols "$O/full"
	"$BIN/redump" elf - "$O/full" "$1/symbols"
}

# archive WAY TRACE: as traces.c wants it
archive() {
	number "$1" 1
	kind=0
	for f in metadata cpu0 cpu1 cpu2 .tasks .symbols .counts; do
		if [ -f "$2/$f" ]; then
			number "$kind" 1
			number "$(stat -c %s "$2/$f")" 3
			cat "$2/$f"
		fi
		kind=$((kind + 1))
	done
}

# Traces, read in each of the ways that traces.c has.
seeds_of_traces() {
	for case in kinds wrap strange symbols unfinished; do
		"$BIN/mkdump" -m 8 -H 16 "$case" "$O/full"
		"$LKST" extract -f -o "$O/extracted" "$O/full" >/dev/null 2>&1 || :
		for dir in "$O"/extracted/*/; do
			for way in $(seq 0 12); do
				archive "$way" "$dir" >"$1/$case-$(basename "$dir")-$way"
			done
		done
		rm -rf "$O/extracted"
	done
}

# fuzz TARGET: two tests, in a folder in memory
fuzz() {
	seeds=$O/$1.seeds
	corpus=$O/$1.corpus
	rm -rf "$seeds"
	mkdir -p "$seeds" "$corpus"
	"seeds_of_$1" "$seeds"
	status=0
	find "$here/findings" -path "*/$1/*" -exec cp {} "$seeds" \;
	(cd "$work" && timeout 120 "$O/replay-$1" "$seeds"/*) \
		>/dev/null 2>"$O/$1.replay.log" || status=$?
	grep -q Sanitizer "$O/$1.replay.log" && status=1
	report $status "$1: seeds and past findings" "$O/$1.replay.log"
	if [ ! -x "$O/fuzz-$1" ]; then
		tests=$((tests + 1))
		echo "ok $tests - $1: libFuzzer # SKIP there is no clang"
		return
	fi
	status=0
	# The short run is the same each time, as far as the machine is as fast.
	seed=0
	[ "$SECONDS_MAX" -gt 60 ] || seed=1
	# Standard output and error are what the command says.
	(cd "$work" && "$O/fuzz-$1" -max_total_time="$SECONDS_MAX" -timeout=60 -seed=$seed \
		-rss_limit_mb=1024 -malloc_limit_mb=200 -max_len=300000 -close_fd_mask=3 \
		-dict="$here/$1.dict" -artifact_prefix="$O/" -print_final_stats=1 \
		"$corpus" "$seeds") >"$O/$1.log" 2>&1 || status=$?
	sed -n 's/^stat::number_of_executed_units: */# inputs: /p' "$O/$1.log"
	report $status "$1: libFuzzer, $SECONDS_MAX s" "$O/$1.log"
}

export ASAN_OPTIONS=allocator_may_return_null=1
echo "KTAP version 1"
echo 1..4
fuzz dumps
fuzz traces
exit $bad
