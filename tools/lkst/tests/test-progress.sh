# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # check.sh reads this file, and has the rest
# The bar on a terminal: it is there for what takes more than a second.

# bar WHAT, counter WHAT: expressions that match what is drawn
bar() { echo "lkst: $1 \\[(?=.{40}\\])#* *\\] +(\\d+)%"; }
counter() { echo "lkst: $1: (\\d+) MiB"; }

# progress HOW...: as progress.py says; $tmp/said is what is on the terminal beside it
progress() { "$here/progress.py" "$@" <"$tmp/said" >"$tmp/out.txt"; }

test_progress_of_copying() {
	make wrap -m 4
	: >"$tmp/said"
	progress fed "$tmp/dump" "$(counter copying)" "$LKST" extract - -f -o "$tmp/out"
	"$LKST" extract "$tmp/dump" -o "$tmp/want" >/dev/null
	diff -r "$tmp/want" "$tmp/out"
}

# fast WHAT COMMAND...: with a fast clock it has a bar
fast() {
	what=$1
	shift
	progress fast "$what" env LD_PRELOAD="$BIN/clock.so" "$@"
}

# make_damaged: a trace $tmp/out of 4 MiB, with a packet of which something is said
make_damaged() {
	make big -m 40 -r 500000
	extract
	rm "$tmp"/out/boot/cpu[12]
	[ "$(stat -c %s "$tmp/out/boot/cpu0")" -eq $((4 << 20)) ]
	printf '\0' | dd of="$tmp/out/boot/cpu0" bs=1 seek=$((65536 * 40 + 90)) conv=notrunc \
		2>/dev/null
	fails 1 "$LKST" print "$tmp/out" >"$tmp/want" 2>"$tmp/said"
	grep -q 'packet [0-9]*: ' "$tmp/said"
}

test_progress_of_converting() {
	make_damaged
	fast "$(counter converting)" "$LKST" convert --to=text -o "$tmp/got" "$tmp/out"
	same "$tmp/want" <"$tmp/got"
	# What is written to a pipe may be shown on the terminal.
	# shellcheck disable=SC2016 # the other shell's
	fast "" bash -o pipefail -c '"$@" | cat' - "$LKST" convert --to=text "$tmp/out"
	cat "$tmp/want" "$tmp/want" | same "$tmp/out.txt"
}

test_progress_of_printing() {
	make_damaged
	fast "$(counter printing)" "$LKST" print "$tmp/out"
	cat "$tmp/want" "$tmp/want" | same "$tmp/out.txt"
}

test_progress_of_searching() {
	head -c 40M /dev/urandom >"$tmp/dump"
	for c in print status; do
		fails 1 "$LKST" $c "$tmp/dump" 2>"$tmp/said"
		fast "$(bar searching)" "$LKST" $c "$tmp/dump"
		[ ! -s "$tmp/out.txt" ]
	done
}

test_progress_of_all_else() {
	make big -m 40 -r 300000
	: >"$tmp/said"
	fast "$(bar writing)" "$LKST" extract -f -o "$tmp/out" "$tmp/dump"
	fast "$(counter counting)" "$LKST" stat "$tmp/out"
	fast "$(counter printing)" "$LKST" print -s "$tmp/out"
	# shellcheck disable=SC2016 # the other shell's
	fast "" sh -c '"$@" | cat' - "$LKST" print "$tmp/out"
	"$BIN/redump" flat - "$tmp/dump" "$tmp/again"
	fast "$(bar 'putting in order')" "$LKST" status "$tmp/again"
	make big -H 100 -n -m 40 -r 1000
	for form in "lkcd9 zlib" "migration 3072"; do
		# shellcheck disable=SC2086 # two words
		"$BIN/redump" $form "$tmp/dump" "$tmp/again"
		fast "$(bar '(?:reading|searching)')" "$LKST" status "$tmp/again"
	done
}
