#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whatever form a dump has, the same trace comes out of it, to the last byte: of one
# crash what makedumpfile makes of kdump's dump, of another what QEMU writes. Runs on
# the host. What no packaged program writes is in tools/lkst/tests.

. "$(dirname "$0")/functions.sh"

# crash NAME OPTION...: $dir/vmcore is the dump of a crash, $dir/trace what is in it.
crash() {
	dir=$out/$1
	mkdir -p "$dir"
	rm -rf "$dir"/vmcore* "$dir/trace"
	echo 'echo c >/proc/sysrq-trigger' >"$dir/script"
	qemu/run -n -t 300 -o "$dir" "${@:2}" "$dir/script" >"$dir/run.log" 2>&1
	"$lkst" extract "$dir/vmcore" -o "$dir/trace" >"$dir/extract.log" 2>&1 &&
		[ "$("$lkst" print -s "$dir/trace" | sed -n 's/^ *\([0-9]*\) records$/\1/p')" -gt 1000 ] &&
		grep -q 'sysrq: Trigger a crash' "$dir/trace/dmesg"
	result $? "$1: the dump has a trace and the kernel's log"
}

# same NAME FILE...: the same comes out of these, without a complaint.
same() {
	rm -rf "$dir/again"
	"$lkst" extract -o "$dir/again" "${@:2}" >"$dir/again.log" 2>"$dir/again.err" &&
		[ ! -s "$dir/again.err" ] && diff -r "$dir/trace" "$dir/again" >"$dir/diff"
	result $? "$1"
	cat "$dir/again.err" "$dir/diff" 2>/dev/null | sed 's/^/# /; 4q'
}

# made NAME OPTION...: makedumpfile's file is as the dump, also from a pipe.
made() {
	rm -f "$dir/made"
	makedumpfile --message-level 0 "${@:2}" "$dir/vmcore" "$dir/made" >"$dir/made.log" 2>&1
	same "$1" "$dir/made"
}

echo "KTAP version 1"
crash kdump -c
for level in 0 1 23 31; do
	made "kdump-compressed, no compression, level $level" -d $level
	made "kdump-compressed, zlib, level $level" -c -d $level
	made "kdump-compressed, lzo, level $level" -l -d $level
	made "ELF, level $level" -E -d $level
	for form in -c -E; do
		makedumpfile --message-level 0 -F $form -d $level "$dir/vmcore" >"$dir/made" 2>"$dir/made.log"
		same "flattened $form, level $level" "$dir/made"
	done
done
# shellcheck disable=SC2002 # it must be a pipe
cat "$dir/made" | same "flattened, from a pipe" -
rm -f "$dir"/[abc]
makedumpfile --message-level 0 -c -d 31 --split --splitblock-size 8 "$dir/vmcore" \
	"$dir/a" "$dir/b" "$dir/c" >"$dir/made.log" 2>&1
same "split" "$dir/a" "$dir/b" "$dir/c"
same "split, in another order" "$dir/c" "$dir/a" "$dir/b"
head -c 1000000 /dev/urandom >>"$dir/vmcore"
same "ELF with garbage behind" "$dir/vmcore"
rm -f "$dir"/vmcore* "$dir"/[abc] "$dir/made"

crash qemu -D -a panic=1
same "QEMU's ELF with paging" "$dir/vmcore.paging"
same "QEMU's kdump-zlib" "$dir/vmcore.kdump"
same "QEMU's pmemsave" "$dir/vmcore.raw"
same "QEMU's migration" "$dir/vmcore.migration"
rm -f "$dir"/vmcore*

echo "1..$n"
exit $bad
