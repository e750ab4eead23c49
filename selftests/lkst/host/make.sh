#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make says what is wrong with what it is told before it builds anything, and how
# long it takes only when it takes long. Runs on the host.

# shellcheck source=selftests/lkst/host/functions.sh
. "$(dirname "$0")/functions.sh"

# In place of all that builds: what was called.
for f in scripts/tree qemu/kernel qemu/programs qemu/rootfs qemu/run; do
	printf '#!/bin/sh\necho "called: %s $*"\n' $f >$f
done
cp scripts/packages "$tmp/packages"
cp scripts/tree scripts/packages

# refused TEXT ARGUMENT...
refused() {
	local text=$1
	shift
	ends 2 make "$@" && says "$text" && ! grep -q called "$tmp/log"
	result "make $*"
}

refused "make guest: say SCRIPT=file" guest
refused "make guest: SCRIPT=missing: no such file" guest SCRIPT=missing
refused "make guest: SCRIPT=qemu: no such file" guest SCRIPT=qemu
refused "make apply: say KDIR=path" apply
refused "make apply: KDIR=missing: no such path" apply KDIR=missing
refused "make apply: KDIR=README.md: no such path" apply KDIR=README.md
touch "$tmp/a script"
ends 0 make guest SCRIPT="$tmp/a script" ARGS="a b" &&
	says "called: qemu/run -c -g /root -o build/guest -a a b $tmp/a script"
result "a script that is there is run"

slow="Building the kernel (the first time: some ten minutes)"
ends 0 make kernel && says "$slow"
result "the first build says that it takes long"
mkdir -p build/kernel/arch/x86/boot
touch build/kernel/arch/x86/boot/bzImage
ends 0 make kernel && says "Building the kernel" && ! says "$slow"
result "the next does not"

cp "$tmp/packages" scripts/packages
refused "packages: LINUX=missing: no such tree or tarball" demo LINUX=missing
finish
