#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whatever form a dump has, the same trace comes out of it, to the last byte: of one
# crash what makedumpfile makes of kdump's dump, of another what QEMU writes. Runs on
# the host. What no packaged program writes is in tools/lkst/tests.

. "$(dirname "$0")/functions.sh"

# dump NAME OPTION...: $dir/vmcore is the dump of a crash, $dir/trace what is in it.
dump() {
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

echo "KTAP version 1"
dump kdump -c
for level in 0 1 23 31; do
	made "kdump-compressed, no compression, level $level" -d $level
	made "kdump-compressed, zlib, level $level" -c -d $level
	made "kdump-compressed, lzo, level $level" -l -d $level
	made "ELF, level $level" -E -d $level
	for form in -c -E; do
		made "flattened $form, level $level" -F $form -d $level
	done
done
# shellcheck disable=SC2002 # it must be a pipe
cat "$dir/made" | same_trace "flattened, from a pipe" -
rm -f "$dir"/[abc]
makedumpfile --message-level 0 -c -d 31 --split --splitblock-size 8 "$dir/vmcore" \
	"$dir/a" "$dir/b" "$dir/c" >"$dir/made.log" 2>&1
same_trace "split" "$dir/a" "$dir/b" "$dir/c"
same_trace "split, in another order" "$dir/c" "$dir/a" "$dir/b"
head -c 1000000 /dev/urandom >>"$dir/vmcore"
same_trace "ELF with garbage behind" "$dir/vmcore"
rm -f "$dir"/vmcore* "$dir"/[abc] "$dir/made"

dump qemu -D -a panic=1
same_trace "QEMU's ELF with paging" "$dir/vmcore.paging"
same_trace "QEMU's kdump-zlib" "$dir/vmcore.kdump"
same_trace "QEMU's pmemsave" "$dir/vmcore.raw"
same_trace "QEMU's migration" "$dir/vmcore.migration"
rm -f "$dir"/vmcore*

echo "1..$n"
exit $bad
