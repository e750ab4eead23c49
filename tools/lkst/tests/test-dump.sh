# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # variables of check.sh, which reads this file
# Tests of check.sh: the forms of dumps, and what is told of one.

# same_as_elf WHAT [FILE...]: what is extracted from files is as from $tmp/dump
same_as_elf() {
	what=$1
	shift
	[ -d "$tmp/ref" ] || "$LKST" extract "$tmp/dump" -o "$tmp/ref" >"$tmp/ref.txt"
	rm -rf "$tmp/out"
	"$LKST" extract -o "$tmp/out" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt" ||
		{ echo "$what:"; cat "$tmp/err.txt"; return 1; }
	quiet
	diff -r "$tmp/ref" "$tmp/out" || { echo "$what differs"; return 1; }
	same "$tmp/ref.txt" <"$tmp/out.txt"
}

# redump FORM HOW [OPTION...]: what is extracted from $tmp/dump in that form is the same
redump() {
	"$BIN/redump" "$1" "$2" "$tmp/dump" "$tmp/again"
	same_as_elf "$1 $2" "$tmp/again"
}

test_kdump_compressed() {
	make symbols
	for how in raw zlib lzo snappy zstd; do
		redump kdump $how
		same_as_elf "kdump $how, scan" --scan "$tmp/again"
	done
	"$LKST" print "$tmp/again" | same "$here/symbols.txt"
	"$LKST" status "$tmp/again" >/dev/null
}

test_kdump_split() {
	make wrap
	"$BIN/redump" kdump zlib "$tmp/dump" "$tmp/a" "$tmp/b" "$tmp/c"
	same_as_elf "a b c" "$tmp/a" "$tmp/b" "$tmp/c"
	same_as_elf "c a b" "$tmp/c" "$tmp/a" "$tmp/b"
	same_as_elf "c a b, scan" --scan "$tmp/c" "$tmp/a" "$tmp/b"
	"$LKST" print "$tmp/dump" >"$tmp/want"
	"$LKST" print "$tmp/b" "$tmp/c" "$tmp/a" | same "$tmp/want"
	"$LKST" status "$tmp/dump" >"$tmp/want"
	"$LKST" status "$tmp/c" "$tmp/b" "$tmp/a" | same "$tmp/want"
	refused "$tmp/a: is one source too many: only parts" print "$tmp" "$tmp/a"
	for miss in a b c; do
		mv "$tmp/$miss" "$tmp/gone"
		fails 1 extract_parts
		said "a part of the dump is missing: that of "
		find "$tmp/out" -name cpu1 | grep -q . || { echo "nothing was extracted"; return 1; }
		mv "$tmp/gone" "$tmp/$miss"
	done
	ln -s a "$tmp/link"
	for last in "$tmp/a" "$tmp/link"; do
		fails 1 "$LKST" print "$tmp/a" "$tmp/b" "$last" 2>"$tmp/err.txt"
		said "$last: is given twice"
	done
	fails 1 "$LKST" print "$tmp/dump" "$tmp/dump" 2>"$tmp/err.txt"
	said "$tmp/dump: is given twice"
	cp "$tmp/a" "$tmp/copy"
	fails 1 "$LKST" extract "$tmp/a" "$tmp/copy" "$tmp/b" -o "$tmp/x" 2>"$tmp/err.txt"
	said ": holds what another part holds too"
	cp "$tmp/dump" "$tmp/other"
	for parts in "$tmp/a $tmp/dump" "$tmp/dump $tmp/other"; do
		# shellcheck disable=SC2086 # words
		fails 1 "$LKST" extract $parts -o "$tmp/x" 2>"$tmp/err.txt"
		said "$tmp/dump: is no part of a dump that was split"
	done
	redump kdump zlib
	fails 1 "$LKST" extract "$tmp/a" "$tmp/again" -o "$tmp/x" 2>"$tmp/err.txt"
	said "$tmp/again: is no part of a dump that was split"
}
extract_parts() {
	rm -rf "$tmp/out"
	"$LKST" extract -o "$tmp/out" "$tmp"/[abc] >"$tmp/out.txt" 2>"$tmp/err.txt"
}

test_flattened() {
	make symbols
	"$BIN/redump" flat - "$tmp/dump" "$tmp/flat"
	same_as_elf "flattened ELF" "$tmp/flat"
	same_as_elf "flattened ELF from a pipe" - <"$tmp/flat"
	"$BIN/redump" kdump zlib "$tmp/dump" "$tmp/kdump"
	"$BIN/redump" flat - "$tmp/kdump" "$tmp/flat"
	same_as_elf "flattened kdump" "$tmp/flat"
	# shellcheck disable=SC2002 # it must be a pipe
	cat "$tmp/flat" | same_as_elf "flattened kdump from a pipe" -
	# Without its last bytes, which say that it is whole.
	truncate -s -32 "$tmp/flat"
	fails 1 "$LKST" extract "$tmp/flat" -o "$tmp/cut" >/dev/null 2>"$tmp/err.txt"
	said "$tmp/flat: is cut off"
	diff -r "$tmp/ref" "$tmp/cut"
}

test_standard_input() {
	make wrap
	same_as_elf "a file" - <"$tmp/dump"
	# shellcheck disable=SC2002 # it must be a pipe
	cat "$tmp/dump" | same_as_elf "a pipe" -
	fails 1 "$LKST" extract - -o "$tmp/x" </dev/null 2>"$tmp/err.txt"
	said "standard input: is empty"
	: >"$tmp/file"
	export TMPDIR="$tmp/file"
	# shellcheck disable=SC2002 # it must be a pipe
	cat "$tmp/dump" | fails 1 "$LKST" extract - -o "$tmp/x" 2>"$tmp/err.txt"
	said "TMPDIR= says where"
}

test_elf_with_garbage_behind() {
	make symbols
	cp "$tmp/dump" "$tmp/long"
	head -c 1000000 /dev/urandom >>"$tmp/long"
	same_as_elf "a raw disk's" "$tmp/long"
}

test_elf_without_zeros() {
	# The last packet ends in pages of zeros.
	make big -r 300 -m 40
	redump elf -
	redump kdump zlib
}

test_lkcd() {
	make kinds -n
	for version in 8 9 10; do
		for how in raw rle zlib; do
			redump lkcd$version $how
		done
	done
	"$BIN/redump" lkcd7 raw "$tmp/dump" "$tmp/again"
	fails 1 "$LKST" extract "$tmp/again" -o "$tmp/x" 2>"$tmp/err.txt"
	said "is an LKCD dump of version 7"
	"$BIN/redump" lkcd9 zlib "$tmp/dump" "$tmp/again"
	truncate -s -16 "$tmp/again"
	fails 1 "$LKST" extract "$tmp/again" -o "$tmp/x" >/dev/null 2>"$tmp/err.txt"
	said "$tmp/again: is cut off after"
	diff -r "$tmp/ref" "$tmp/x"
}

# With the hole below 4 GiB of a machine of type pc, and of type q35.
test_guest_memory() {
	make wrap -n -q
	for low in 3072 2048; do
		redump raw $low
		redump migration $low
		redump libvirt $low
	done
}

test_guest_memory_without_hole() {
	make kinds -n
	redump raw 4096
	"$BIN/redump" migration 3072 "$tmp/dump" "$tmp/again"
	size=$(stat -c %s "$tmp/again")
	truncate -s $((size - 500000)) "$tmp/again"
	fails 1 "$LKST" extract "$tmp/again" -o "$tmp/x" >/dev/null 2>"$tmp/err.txt"
	said "$tmp/again: the stream is cut off after"
}

# What is in memory takes the place of the note: its own kernel's, not another's.
test_vmcoreinfo_in_memory() {
	make symbols -v -n
	"$LKST" print "$tmp/dump" 2>"$tmp/err.txt" | same "$here/symbols.txt"
	quiet
}

test_kernel_log() {
	make kinds -l
	extract
	quiet
	grep -q '^log  *14 messages, in dmesg$' "$tmp/out.txt"
	printf '%s\n' '[    1.507007] message 15' '[    1.508008] message 16' \
		'[    1.509009] message 17' '[    1.510010] message 18' \
		'[    1.511011] message 19' '[    1.512012] two' \
		'[    1.512012] lines\x1b[1m' '[    1.513013] ' '[    1.514014] message 22' \
		'[    1.515015] message 23' '[    1.516016] message 24' \
		'[    1.518018] message 26' '[    1.519019] message 27' \
		'[    1.520020] message 28' '[    1.521021] message 29' >"$tmp/want"
	same "$tmp/want" <"$tmp/out/dmesg"
	redump kdump zlib
	# A dump of a kernel that says nothing of it leaves none, not even an old one.
	make kinds
	"$LKST" extract -f "$tmp/dump" -o "$tmp/out" >"$tmp/out.txt"
	[ ! -e "$tmp/out/dmesg" ]
	fails 1 grep '^log' "$tmp/out.txt"
}

test_extract_one_buffer() {
	make two
	extract -b boot
	[ "$(ls -A "$tmp/out")" = boot ]
	[ "$(grep '^buffer' "$tmp/out.txt")" = 'buffer boot' ]
	rm -rf "$tmp/out"
	fails 1 extract --buffer none
	said "-b, --buffer: the dump has no buffer none, but these:"
	[ ! -e "$tmp/out" ]
}

# holds EXPRESSION: it does for j, what was said as JSON
holds() {
	python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
if not eval(sys.argv[2]):
	sys.exit(f"it does not hold: {sys.argv[2]}\n{json.dumps(j, indent=1)}")' "$tmp/out.txt" "$1"
}

test_extract_json() {
	make lost -l
	extract --json
	quiet
	holds 'j["kernel"] == "6.12.0-test" and j["cpus"] == 4 and j["log_messages"] == 14'
	holds 'j["started"] == "2023-11-14T22:13:20Z" and j["crashed"] == "2023-11-14T22:15:00Z"'
	holds 'j["boot"] == "101112131415161718191a1b1c1d1e1f" and j["messages"] == []'
	holds 'j["memory"] > 7 << 20 and len(j["buffers"]) == 1'
	holds 'j["buffers"][0]["name"] == "boot" and j["buffers"][0]["current"] is True'
	holds 'j["buffers"][0]["cpus"] == [{"cpu": 0, "packets": 4, "records": 548, "unfinished": 0,
		"strange": 0, "lost": 1170, "overwritten": 332, "cut": 0, "dropped": 0}]'
	make two
	extract --json
	holds '[b["name"] for b in j["buffers"]] == ["other", "boot"]'
	make wrap -d zero:ring-page
	fails 1 extract --json
	sed 's/^lkst: //' "$tmp/err.txt" >"$tmp/said"
	holds 'j["messages"] == open("'"$tmp/said"'").read().splitlines() and j["messages"]'
	holds '[c["cpu"] for c in j["buffers"][0]["cpus"] if "lost" not in c] == [1]'
	printf 'no "dump"\\\033' >"$tmp/dump"
	fails 1 extract --json
	holds 'j["messages"] and "is no dump" in j["messages"][0]'
}
