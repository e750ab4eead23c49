#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# qemu/run says what it does not find, and boots nothing. Runs on the host.

# shellcheck source=selftests/lkst/host/functions.sh
. "$(dirname "$0")/functions.sh"

# refused FILE ARGUMENT...
refused() {
	local file=$1
	shift
	ends 2 qemu/run -o "$tmp/out" "$@" && says "run: $file: no such file" && [ ! -e "$tmp/out" ]
	result "qemu/run $*"
}

refused "$project/build/kernel/arch/x86/boot/bzImage"
mkdir -p build/kernel/arch/x86/boot
touch build/kernel/arch/x86/boot/bzImage build/initrd
refused "$project/build/other/arch/x86/boot/bzImage" -k other Makefile
refused "$project/build/initrd.crash" -c Makefile
refused "$project/missing" missing
refused "$project/scripts" scripts
refused "$project/no/where" -f no/where Makefile

# wrong TEXT ARGUMENT...: it ends before anything is made
wrong() {
	local text=$1
	shift
	ends 2 qemu/run -o "$tmp/out" "$@" </dev/null && says "$text" && [ ! -e "$tmp/out" ]
	result "qemu/run $*"
}
wrong '-t: "abc" is not a number' -t abc Makefile
wrong '-t: "0" is not a number' -t 0 Makefile
wrong '-p: "two" is not a number' -p two Makefile
wrong "README.md is one script too many" Makefile README.md
wrong "illegal option" -Z Makefile
for path in root / ""; do wrong "-g: \"$path\" is not an absolute path" -g "$path" Makefile; done
wrong "a shell needs a terminal"
ends 0 qemu/run -h && says "usage: qemu/run" && says "  -t SECS"
result "qemu/run -h"
finish
