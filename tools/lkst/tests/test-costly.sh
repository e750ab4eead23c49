# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # variables and functions of check.sh
# Tests of dumps that are made to take much time or memory: all that is done with a dump
# takes less than 200 MiB, and as long as another of its size. Part of check.sh.

# costly TEXT NAME [FORM]: all of this dump is looked through, and that is said
costly() {
	rm -rf "$tmp/dump" "$tmp/out"
	python3 "$here/costly.py" "$2" ${3:+"$3"} "$tmp/dump" ${3:+"$tmp/metadata"}
	within 20 200 "$LKST" extract --scan "$tmp/dump" -o "$tmp/out"
	said "$1" || { echo "of $2"; return 1; }
}

# The metadata of a trace, which those in memory need.
need_metadata() {
	make kinds
	extract
	mv "$tmp/out/boot/metadata" "$tmp/metadata"
	rm -r "$tmp/out"
}

test_costly_elf() {
	costly "no trace found" elf_segments
	costly "no trace found" elf_petabytes
	costly "no trace found" elf_notes
}

test_costly_kdump() {
	costly "holds no memory" kdump_petabytes
	costly "is cut off in its descriptors of pages" kdump_no_descs
	costly "no trace found" kdump_hole
	costly "no trace found" kdump_bombs
	for how in zlib lzo snappy zstd; do
		costly "no trace found" kdump_$how
	done
}

test_costly_lkcd() {
	costly "no trace found" lkcd_pages
}

test_costly_migration() {
	costly "no trace found" migration_pages
	costly "no trace found" migration_petabytes
}

test_costly_flattened() {
	costly "holds no memory" flat_pieces
	costly "no trace found" flat_shuffled
	costly "holds no memory" flat_too_many
	costly "holds no memory" flat_petabytes
}

test_costly_raw() {
	costly "no trace found" raw_sparse
	costly "no trace found" raw_hole
}

test_costly_directories() {
	need_metadata
	costly "no trace found" directories kdump
	costly "has no metadata" uuids kdump
}

test_costly_rings() {
	need_metadata
	costly "has more packets than can be read" rings elf
	costly "nothing tells its clock" cpus elf
	costly "the metadata at" bodies kdump
}

# Each CPU can be extracted, but not all be put in order at once.
test_costly_cpus() {
	need_metadata
	python3 "$here/costly.py" readers elf "$tmp/dump" "$tmp/metadata"
	"$BIN/measure" "$LKST" extract "$tmp/dump" -o "$tmp/out" 2>"$tmp/err.txt"
	[ "$(find "$tmp/out/boot" -name 'cpu*' | wc -l)" = 600 ]
	within 20 200 "$LKST" print "$tmp/dump"
	said "buffer boot: too many CPUs at once: cpu511 and later ones are left out (-c)"
	[ "$(wc -l <"$tmp/err.txt")" = 1 ]
	"$LKST" print -c 500-599 "$tmp/dump" 2>"$tmp/err.txt"
	quiet
}

test_costly_names() {
	need_metadata
	python3 "$here/costly.py" tasks elf "$tmp/dump" "$tmp/metadata"
	"$BIN/measure" "$LKST" extract "$tmp/dump" -o "$tmp/out" 2>"$tmp/err.txt" >/dev/null
	awk '$3 > 200 { bad = 1; print } END { exit bad }' "$tmp/err.txt"
	[ "$(wc -l <"$tmp/out/boot/.tasks")" = 1048576 ]
}
