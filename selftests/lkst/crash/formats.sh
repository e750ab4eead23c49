#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whatever form a dump has, the same trace comes out of it, to the last byte: of one
# crash what makedumpfile makes of kdump's dump, of another what QEMU writes. Runs on
# the host. What no packaged program writes is in tools/lkst/tests.

. "$(dirname "$0")/functions.sh"

echo "KTAP version 1"
dump kdump -c
all_made ""
head -c 1000000 /dev/urandom >>"$dir/vmcore"
same_trace "ELF with garbage behind" "$dir/vmcore"
rm -f "$dir"/vmcore*

dump qemu -D -a panic=1
same_trace "QEMU's ELF with paging" "$dir/vmcore.paging"
same_trace "QEMU's kdump-zlib" "$dir/vmcore.kdump"
same_trace "QEMU's pmemsave" "$dir/vmcore.raw"
same_trace "QEMU's migration" "$dir/vmcore.migration"
rm -f "$dir"/vmcore*

echo "1..$n"
exit $bad
