#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run by the Makefile, which says where things are and for how long: KTAP.

set -eu
: "${O:?}" "${BIN:?}" "${SECONDS_MAX:?}"
# The fuzzer is run where its findings go.
O=$(realpath "$O")
seeds=$O/seeds
corpus=$O/corpus
bad=0

# report N STATUS NAME LOG: the line of KTAP, and if it failed what was said
report() {
	if [ "$2" = 0 ]; then
		echo "ok $1 - $3"
	else
		tail -n 30 "$4" | sed 's/^/# /'
		echo "not ok $1 - $3"
		bad=1
	fi
}

# Dumps of each form, with only the pages that are not zero, below 32 MiB.
make_seeds() {
	rm -rf "$seeds"
	mkdir -p "$seeds" "$corpus"
	dump=$O/seed
	"$BIN/mkdump" -m 8 -H 16 -l kinds "$O/full"
	"$BIN/redump" elf - "$O/full" "$dump"
	cp "$dump" "$seeds/elf"
	for how in raw zlib lzo snappy zstd; do
		"$BIN/redump" kdump $how "$dump" "$seeds/kdump-$how"
	done
	"$BIN/redump" kdump zlib "$dump" "$O/a" "$O/b"
	size=$(stat -c %s "$O/a")
	# shellcheck disable=SC2059 # its own escapes
	{
		printf PARTS
		printf "$(printf '\\%o\\%o\\%o\\%o' $((size & 255)) $((size >> 8 & 255)) \
			$((size >> 16 & 255)) $((size >> 24)))"
		cat "$O/a" "$O/b"
	} >"$seeds/split"
	"$BIN/redump" flat - "$dump" "$seeds/flat-elf"
	"$BIN/redump" flat - "$seeds/kdump-zlib" "$seeds/flat-kdump"
	"$BIN/redump" lkcd8 rle "$dump" "$seeds/lkcd8-rle"
	"$BIN/redump" lkcd10 zlib "$dump" "$seeds/lkcd10-zlib"
	"$BIN/redump" migration 4096 "$dump" "$seeds/migration"
	"$BIN/redump" libvirt 4096 "$dump" "$seeds/libvirt"
	# Cases without vmcoreinfo, and with records that are damaged.
	for case in wrap strange symbols unfinished; do
		"$BIN/mkdump" -m 8 -H 16 -n $case "$O/full"
		"$BIN/redump" elf - "$O/full" "$seeds/scan-$case"
	done
	"$BIN/mkdump" -m 8 -H 16 symbols "$O/full"
	"$BIN/redump" elf - "$O/full" "$seeds/symbols"
}

export ASAN_OPTIONS=allocator_may_return_null=1
echo "KTAP version 1"
echo 1..2
make_seeds
status=0
timeout 120 "$O/replay" "$seeds"/* findings/* >"$O/replay.log" 2>&1 || status=$?
grep -q 'Sanitizer' "$O/replay.log" && status=1
report 1 $status "seeds and past findings" "$O/replay.log"
if [ ! -x "$O/target" ]; then
	echo "ok 2 - libFuzzer # SKIP there is no clang"
	exit $bad
fi
status=0
# Standard error is what the dumps say.
(cd "$O" && ./target -max_total_time="$SECONDS_MAX" -timeout=10 -rss_limit_mb=1024 \
	-malloc_limit_mb=200 -max_len=300000 -close_fd_mask=2 -print_final_stats=1 \
	"$corpus" "$seeds") >"$O/target.log" 2>&1 || status=$?
sed -n 's/^stat::number_of_executed_units: */# inputs: /p' "$O/target.log"
report 2 $status "libFuzzer, $SECONDS_MAX s" "$O/target.log"
exit $bad
