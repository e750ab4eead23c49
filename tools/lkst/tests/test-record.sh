# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # check.sh reads this file, and has the rest
# Copies of a running kernel's buffer, of which the files are made from a dump: they
# stand still. What goes on meanwhile is tested in the guest.

# A running kernel's files with what control needs, from the case "wrap".
make_ring() {
	make_live wrap -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	rm -f "$tmp"/root/proc/lkst/buffers/boot/*.closed
	k=$tmp/root/sys/kernel/lkst
	echo 1 >"$k/enabled"
	echo overwrite >"$k/buffers/boot/mode"
	mkdir -p "$k/masksets/default" "$tmp/root/proc/77/task/78"
	echo default >"$k/masksets/current"
	echo walker >"$tmp/root/proc/77/task/78/comm"
	printf '%s\n' 'ffffffff81000000 T _stext' 'ffffffff81000100 t here' \
		'ffffffff81001000 T _etext' >"$tmp/root/proc/kallsyms"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
}

# holds_all DIR: the trace there has the records that are wanted, and nobody complains
holds_all() {
	listing "$1" | same "$tmp/want.sorted"
	quiet
	witness "$("$LKST" print -s "$1" | awk '$2 == "records" { print $1 }')" "$1"
}

test_record_help() {
	for c in record snapshot; do
		"$LKST" help $c | grep -q "^Usage: lkst $c "
		refused "unrecognized option '--nothing'" $c --nothing
		said "\`lkst $c --help' lists the options"
	done
	refused '"a" is one word too many' snapshot a
	for t in "" x -1 0 1.5x 10m 1e300; do
		refused "-d, --duration: \"$t\" is not a time from 1ms" record -d "$t"
	done
	for t in "" x 0 0K 64X K 10k 99999999999G; do
		refused "-r, --rotate: \"$t\" is not a size from 1K in K, M or G" record -r "$t"
	done
	refused '-s, --size: "4" is not a size' record -O -s 4
	refused '-k, --keep: "0" is not' record -r 1M -k 0
	refused "--keep is for parts" record -k 3
	refused "--size is that of a buffer of its own" record -s 4M
	LKST_ROOT=$tmp/nothing
	export LKST_ROOT
	for c in record snapshot; do
		fails 1 "$LKST" $c -o "$tmp/out" 2>"$tmp/err.txt"
		said "this kernel has no LKST"
		[ ! -e "$tmp/out" ]
	done
}

test_snapshot() {
	make_ring
	fails 0 "$LKST" snapshot -o "$tmp/shot" >"$tmp/out.txt" 2>"$tmp/err.txt"
	quiet
	grep -q "written to $tmp/shot" "$tmp/out.txt"
	holds_all "$tmp/shot"
	sed -n 's/^ *cpu[0-9] *[0-9]* *\([0-9]*\) *0$/\1/p' "$tmp/out.txt" |
		awk '{ n += $1 } END { print n, "records" }' >"$tmp/got"
	"$LKST" print -s "$tmp/shot" | tail -n 1 | sed 's/^ *//' | same "$tmp/got"
	grep -qx '78 77 walker' "$tmp/shot/.tasks"
	grep -q ' t here$' "$tmp/shot/.symbols"
	fails 1 "$LKST" snapshot -o "$tmp/shot" 2>"$tmp/err.txt"
	said "is not empty"
	fails 0 "$LKST" snapshot -f -b boot -o "$tmp/shot" >/dev/null 2>"$tmp/err.txt"
	holds_all "$tmp/shot"
	fails 1 "$LKST" snapshot -b some -o "$tmp/some" 2>"$tmp/err.txt"
	said "buffers/some: there is no such thing, but these: boot"
	[ ! -e "$tmp/some" ]
}

# The packet that is open was closed, and another begun, before all was copied.
test_snapshot_closed_meanwhile() {
	make_ring
	for c in "$tmp/root/proc/lkst/buffers/boot"/cpu?; do
		cat "$c.open" >>"$c"
	done
	fails 0 "$LKST" snapshot -o "$tmp/shot" >"$tmp/out.txt" 2>"$tmp/err.txt"
	quiet
	holds_all "$tmp/shot"
}

test_snapshot_missed_packets() {
	make_ring
	c=$tmp/root/proc/lkst/buffers/boot/cpu1
	head -c 4096 "$c" >"$tmp/cut"
	tail -c +8193 "$c" >>"$tmp/cut"
	mv "$tmp/cut" "$c"
	fails 0 "$LKST" snapshot -o "$tmp/shot" >"$tmp/out.txt" 2>"$tmp/err.txt"
	grep -q '^  cpu1  .* 1$' "$tmp/out.txt"
	"$LKST" print "$tmp/shot" | grep -c 'cpu1   1 packets overwritten' | grep -qx 1
}

test_snapshot_of_replaced_buffer() {
	make_ring
	c=$tmp/root/proc/lkst/buffers/boot/cpu1
	printf '\377' | dd of="$c" bs=1 seek=18 conv=notrunc 2>/dev/null
	fails 1 "$LKST" snapshot -o "$tmp/shot" >"$tmp/out.txt" 2>"$tmp/err.txt"
	said "was replaced each time"
	# What is no packet at all.
	head -c 100000 /dev/zero | tr '\0' x >"$c"
	fails 1 "$LKST" snapshot -f -o "$tmp/shot" >"$tmp/out.txt" 2>"$tmp/err.txt"
	said "there is no packet"
}

# Of a buffer in discard mode all is taken, so that there is something to record here.
test_record() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	fails 0 "$LKST" record -o "$tmp/rec" -- echo hello >"$tmp/out.txt" 2>"$tmp/log"
	[ "$(cat "$tmp/out.txt")" = hello ]
	: >"$tmp/err.txt"
	holds_all "$tmp/rec"
	records=$("$LKST" print -s "$tmp/rec" | awk '$2 == "records" { print $1 }')
	awk '{ p += $3; w += $5; m += $7; l += $9; g += $13 } END { print p, w, m, l, g }' \
		"$tmp/rec/.counts" >"$tmp/got"
	echo "$records $records 0 0 0" | same "$tmp/got"
	grep -q "$records records" "$tmp/log"
	grep -qx '78 77 walker' "$tmp/rec/.tasks"
	fails 3 "$LKST" record -o "$tmp/three" -- sh -c 'exit 3' 2>/dev/null
	fails 143 "$LKST" record -o "$tmp/term" -- sh -c 'kill $$' 2>/dev/null
	fails 127 "$LKST" record -o "$tmp/no" -- "$tmp/nothing" 2>"$tmp/log"
	grep -q "$tmp/nothing: No such file" "$tmp/log"
	fails 127 "$LKST" record -o "$tmp/no" -- no-such-command 2>"$tmp/log"
	grep -qx "lkst: no-such-command: No such file or directory" "$tmp/log"
	: >"$tmp/data"
	for c in "$tmp/data" "$tmp"; do
		fails 126 "$LKST" record -o "$tmp/no" -- "$c" 2>"$tmp/log"
		grep -qx "lkst: $c: Permission denied" "$tmp/log"
	done
	[ ! -e "$tmp/no" ]
	fails 0 "$LKST" record -d 200ms -o "$tmp/long" -- sleep 60 2>/dev/null
	fails 0 "$LKST" record -d 200ms -o "$tmp/exit" -- \
		sh -c 'trap "exit 5" TERM; sleep 60 & wait' 2>/dev/null
	fails 0 "$LKST" record -d 200ms -o "$tmp/time" >"$tmp/out.txt" 2>/dev/null
	grep -q '^  cpu1 ' "$tmp/out.txt"
	: >"$tmp/err.txt"
	holds_all "$tmp/time"
}

# Without a name each trace has a directory of its own, however fast they are made.
test_record_default_directory() {
	make_ring
	mkdir "$tmp/many"
	cd "$tmp/many" || return
	for _ in 1 2 3 4; do
		"$LKST" snapshot >"$tmp/out.txt"
		grep -q '^written to lkst-[0-9-]*$' "$tmp/out.txt"
		"$LKST" record -- true 2>"$tmp/log"
	done
	printf '%s\n' lkst-*/metadata | wc -l | grep -qx 8
}

# In overwrite mode what is there already is left out, but for the open packet.
test_record_from_now_on() {
	make_ring
	fails 0 "$LKST" record -o "$tmp/rec" -- true >"$tmp/out.txt" 2>"$tmp/log"
	for c in "$tmp/root/proc/lkst/buffers/boot"/cpu*.open; do
		cmp "$c" "$tmp/rec/$(basename "$c" .open)"
	done
}

test_record_maskset_and_start() {
	make_ring
	mkdir "$k/masksets/mine"
	echo 0 >"$k/enabled"
	fails 0 "$LKST" record -m mine -o "$tmp/rec" -- cat "$k/masksets/current" "$k/enabled" \
		>"$tmp/got" 2>"$tmp/log"
	printf 'mine\n1\n' | same "$tmp/got"
	[ "$(cat "$k/masksets/current" "$k/enabled" | xargs)" = "default 0" ]
	fails 1 "$LKST" record -m some -o "$tmp/some" -- true 2>"$tmp/err.txt"
	said "masksets/some: there is no such thing"
	[ ! -e "$tmp/some" ]
}

test_record_parts() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	fails 0 "$LKST" record -r 8K -o "$tmp/rec" -- true 2>"$tmp/log"
	cat "$tmp/rec"/part-*/cpu* | wc -c >"$tmp/got"
	cat "$tmp/root/proc/lkst/buffers/boot"/cpu* | wc -c | same "$tmp/got"
	for p in "$tmp/rec"/part-*; do
		listing "$p"
		sed -i '/no record was selected/d' "$tmp/err.txt"
		quiet
	done | sort | same "$tmp/want.sorted"
	# All together, and one by name.
	listing "$tmp/rec" | same "$tmp/want.sorted"
	quiet
	listing "$tmp/rec" -b part-000002 >"$tmp/got"
	listing "$tmp/rec/part-000002" | same "$tmp/got"
	[ -s "$tmp/got" ]
	n=$(find "$tmp/rec" -name 'part-*' | wc -l)
	[ "$n" -ge 3 ]
	fails 0 "$LKST" record -r 8K -k 2 -o "$tmp/kept" -- true 2>"$tmp/log"
	[ "$(find "$tmp/kept" -name 'part-*' | wc -l)" = 2 ]
	kept=$(for p in "$tmp/kept"/part-*; do "$LKST" print -s "$p"; done |
		awk '$2 == "records" { n += $1 } END { print n }')
	all=$(awk '{ n += $5 } END { print n }' "$tmp/kept/.counts")
	grep -q "^lkst: $((all - kept)) records were in parts that were removed" "$tmp/log"
}

# A CPU's packet that goes to a part when another CPU's has ended it is not of the next:
# no part but the last is empty.
test_record_small_parts() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	for i in 1 2 3 4 5 6 7 8; do
		fails 0 "$LKST" record -r 4K -o "$tmp/rec$i" -- true 2>"$tmp/log"
		cat "$tmp/rec$i"/part-*/cpu* | wc -c >"$tmp/got"
		cat "$tmp/root/proc/lkst/buffers/boot"/cpu* | wc -c | same "$tmp/got"
		for p in "$tmp/rec$i"/part-*; do
			[ -n "$(find "$p" -name 'cpu*' -size +0)" ] || echo "$p"
		done >"$tmp/empty"
		find "$tmp/rec$i" -name 'part-*' | sort | tail -n 1 >"$tmp/last"
		grep -vxFf "$tmp/last" "$tmp/empty" >"$tmp/got" || continue
		cat "$tmp/got"
		return 1
	done
}

# The disk is full while a packet is on its way that would end the part: no part is begun,
# and none is removed for it.
test_record_full_disk_meanwhile() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	fails 1 env LD_PRELOAD="$BIN/late.so" "$LKST" record -r 4K -k 1 -o "$tmp/rec" -d 10s \
		>"$tmp/out.txt" 2>"$tmp/err.txt"
	said "nothing more is written, what was is kept"
	[ "$(find "$tmp/rec" -name 'part-*')" = "$tmp/rec/part-000001" ]
	[ "$(cat "$tmp/rec"/part-000001/cpu* | wc -c)" = 4096 ]
}

# packets FILE PACKET...: puts it together anew, as packets.py says
packets() {
	file=$1
	shift
	python3 "$here/packets.py" "$file" "$@" >"$tmp/packets"
	mv "$tmp/packets" "$file"
}

# A packet was copied when another buffer became current, and again when it was closed.
test_record_packet_again() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	packets "$tmp/root/proc/lkst/buffers/boot/cpu1" 0 1:100 1 2
	fails 0 "$LKST" record -o "$tmp/rec" -- true 2>"$tmp/err.txt"
	: >"$tmp/err.txt"
	holds_all "$tmp/rec"
}

# The first packets were overwritten before any was read.
test_record_overtaken() {
	make_ring
	b=$tmp/root/proc/lkst/buffers/boot
	cp "$b/cpu1" "$tmp/cpu1"
	packets "$b/cpu1" 2
	cp "$tmp/cpu1" "$b/cpu1.open"
	packets "$b/cpu1.open" 1
	fails 1 "$LKST" record -o "$tmp/rec" -- true 2>"$tmp/log"
	grep -q "1 packets were overwritten unread" "$tmp/log"
	grep -q '^cpu1 .* gaps 1$' "$tmp/rec/.counts"
}

# The reader's files are not the command's.
test_record_open_files() {
	make_ring
	cat >"$tmp/script" <<-'END'
		ulimit -S -n 14
		"$1" record -o "$2" -- sh -c 'ulimit -S -n'
	END
	fails 0 sh "$tmp/script" "$LKST" "$tmp/rec" >"$tmp/out.txt" 2>"$tmp/log"
	[ "$(cat "$tmp/out.txt")" = 14 ]
}

# What was there before goes with -f, but not what is no trace's.
test_record_over_parts() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	fails 0 "$LKST" record -r 8K -o "$tmp/rec" -- true 2>"$tmp/log"
	mkdir "$tmp/rec/part-x" "$tmp/else"
	: >"$tmp/rec/part-000002/notes"
	: >"$tmp/else/metadata"
	ln -s "$tmp/else" "$tmp/rec/part-100000"
	fails 0 "$LKST" record -f -r 1M -o "$tmp/rec" -- true 2>"$tmp/log"
	find "$tmp/rec" "$tmp/else" | sed "s,^$tmp/,," | LC_ALL=C sort >"$tmp/got"
	printf '%s\n' else else/metadata rec rec/.counts rec/part-000001 \
		rec/part-000001/.symbols rec/part-000001/.tasks rec/part-000001/cpu0 \
		rec/part-000001/cpu1 rec/part-000001/cpu2 rec/part-000001/metadata \
		rec/part-000002 rec/part-000002/notes rec/part-100000 rec/part-x |
		same "$tmp/got"
}

# make_parts FIRST: the case "wrap" in two parts, the first of which is named so; of cpu1
# they have one packet both, which grew meanwhile.
make_parts() {
	make wrap -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	extract
	rm -rf "$tmp/rec"
	mkdir -p "$tmp/rec/$1" "$tmp/rec/part-1000000"
	for p in "$tmp/rec/$1" "$tmp/rec/part-1000000"; do
		cp "$tmp/out/boot/metadata" "$p"
	done
	cp "$tmp/out/boot/cpu0" "$tmp/out/boot/cpu1" "$tmp/rec/$1"
	cp "$tmp/out/boot/cpu1" "$tmp/out/boot/cpu2" "$tmp/rec/part-1000000"
	packets "$tmp/rec/$1/cpu1" 0 1:100
	packets "$tmp/rec/part-1000000/cpu1" 1 2 3
}

test_print_parts_with_packet_again() {
	make_parts part-999999
	listing "$tmp/rec" | same "$tmp/want.sorted"
	quiet
	# It is not worth a word if there is no more in it.
	cp "$tmp/out/boot/cpu1" "$tmp/rec/part-999999"
	packets "$tmp/rec/part-999999/cpu1" 0 1
	packets "$tmp/rec/part-1000000/cpu1" 0:100 1 2
	listing "$tmp/rec" | same "$tmp/want.sorted"
	quiet
}

# An archive's files are gone once they are open.
test_print_archive_of_parts() {
	make_parts part-000001
	mv "$tmp/rec/part-1000000" "$tmp/rec/part-000002"
	tar -C "$tmp" -czf "$tmp/rec.tgz" rec
	listing "$tmp/rec.tgz" | same "$tmp/want.sorted"
	quiet
}

# The trace begins in the directory itself, and another buffer was current meanwhile.
test_print_parts_of_one_buffer() {
	make_parts .
	listing "$tmp/rec" | same "$tmp/want.sorted"
	quiet
	cp -r "$tmp/rec/part-1000000" "$tmp/rec/part-000002"
	sed 's/uuid = "10/uuid = "20/' "$tmp/rec/metadata" >"$tmp/rec/part-000002/metadata"
	listing "$tmp/rec" | same "$tmp/want.sorted"
	said "part-000002: is of another buffer, and left out"
}

test_print_parts_damaged() {
	make_parts part-000001
	cp "$tmp/out/boot/cpu1" "$tmp/rec/part-000001"
	packets "$tmp/rec/part-000001/cpu1" 0 1/50 2 3
	fails 1 "$LKST" print "$tmp/rec" >"$tmp/got" 2>"$tmp/err.txt"
	said "the rest of it is dropped"
	"$LKST" stat "$tmp/rec" >"$tmp/got" 2>"$tmp/err.txt" || [ $? = 1 ]
}

# A part of another buffer, one that is cut off, and one that is not there.
test_record_strange_parts() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	fails 0 "$LKST" record -r 8K -o "$tmp/rec" -- true 2>"$tmp/log"
	p=$tmp/rec/part-00000
	sed 's/uuid = "10/uuid = "20/' "${p}1/metadata" >"$tmp/metadata"
	! cmp -s "${p}1/metadata" "$tmp/metadata"
	cp "$tmp/metadata" "${p}1/metadata"
	rm -r "${p}1"/cpu*
	listing "$tmp/rec" >"$tmp/got"
	said "part-000001: is of another buffer"
	for q in "$tmp/rec"/part-*[02-9]; do listing "$q"; done | sort >"$tmp/want2"
	same "$tmp/want2" <"$tmp/got"
	for c in "${p}2"/cpu*; do truncate -s -100 "$c"; done
	fails 1 "$LKST" print "$tmp/rec" >"$tmp/got" 2>"$tmp/err.txt"
	said "part-000002/cpu"
	said "is cut off in a packet"
	for q in "$tmp/rec"/part-*[3-9]; do listing "$q"; done | sort >"$tmp/want2"
	listing "$tmp/rec" | comm -23 "$tmp/want2" - >"$tmp/missing"
	[ ! -s "$tmp/missing" ]
}

# No file may be larger than this: the disk is full within a packet.
test_record_full_disk() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	total=$("$LKST" print -s | awk '$2 == "records" { print $1 }')
	fails 1 sh -c "ulimit -f 15; \"$LKST\" record -o \"$tmp/rec\" -d 1ms" \
		>"$tmp/out.txt" 2>"$tmp/err.txt"
	said "nothing more is written, what was is kept"
	for c in "$tmp/rec"/cpu*; do
		size=$(stat -c %s "$c")
		[ $((size % 4096)) = 0 ] && [ "$size" -le 7680 ]
	done
	kept=$("$LKST" print -s "$tmp/rec" 2>"$tmp/log" | awk '$2 == "records" { print $1 }')
	[ ! -s "$tmp/log" ]
	[ "$kept" -gt 0 ]
	said "missed $((total - kept)) records that could not be written"
}

# Bits are flipped in the files of the kernel: no crash, and an end.
test_record_of_nonsense() {
	make_ring
	echo discard >"$k/buffers/boot/mode"
	b=$tmp/root/proc/lkst/buffers/boot
	cp -r "$b" "$tmp/good"
	for at in 0 4 16 20 32 40 56 72 80 4096 4168; do
		for f in cpu0 cpu1.open metadata; do
			rm -rf "$tmp/rec" "$tmp/shot"
			printf '\352' | dd of="$b/$f" bs=1 seek=$at conv=notrunc 2>/dev/null
			for c in "record -o $tmp/rec -- true" "snapshot -o $tmp/shot"; do
				code=0
				# shellcheck disable=SC2086 # words
				timeout -k 1 20 "$LKST" $c >"$tmp/log" 2>&1 || code=$?
				[ $code -le 1 ] || { echo "$f at $at: $c: $code"; cat "$tmp/log"; return 1; }
			done
			cp "$tmp/good/$f" "$b/$f"
		done
	done
}

# The disk is full when a part begins: that part is not begun. In a mount namespace,
# where that can be had.
test_record_full_disk_at_part() {
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || return 0
	make_ring
	echo discard >"$k/buffers/boot/mode"
	mkdir "$tmp/small"
	cat >"$tmp/script" <<-'END'
		mount -t tmpfs -o size="$3" tmpfs "$1/small" || exit 77
		"$2" record -r 8K -o "$1/small/rec" -d 1ms >"$1/out.txt" 2>"$1/err.txt"
		code=$?
		cp -r "$1/small/rec" "$1/rec"
		exit $code
	END
	# Pages: of the first part all, of the second some of the metadata.
	meta=$(($(stat -c %s "$tmp/root/proc/lkst/buffers/boot/metadata") / 4096 + 1))
	code=0
	unshare -m sh "$tmp/script" "$tmp" "$LKST" $(((2 * meta + 3) * 4096)) || code=$?
	[ $code != 77 ] || return 0
	[ $code = 1 ] || { echo "exit code $code"; return 1; }
	said "nothing more is written, what was is kept"
	for p in "$tmp/rec"/part-*; do
		[ -s "$p/metadata" ] || { find "$tmp/rec" -type f -ls; return 1; }
		fails 0 "$LKST" print "$p" >/dev/null
	done
	"$LKST" print "$tmp/rec" >"$tmp/got"
	[ -s "$tmp/got" ]
}
