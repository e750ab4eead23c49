#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check: full
# With makedumpfile and crash(8) of newer Debian releases it is as with this one's: the
# same trace comes out of all forms of a dump, and crash has it, with the extension
# built for that crash. The releases are kept in build/suites, until that is removed.
# Runs on the host.

. "$(dirname "$0")/functions.sh"

# Nothing can be tested.
none() {
	echo "1..0 # SKIP $1"
	exit 4
}

# Have the release $suite in $root; says why not.
get_suite() {
	[ ! -d "$root" ] || return 0
	# What debootstrap mounts there may still be, if it was killed.
	rm -rf --one-file-system "$root.part"
	mkdir -p "${root%/*}"
	if timeout -k 5 480 debootstrap --variant=minbase "$suite" "$root.part" &&
		DEBIAN_FRONTEND=noninteractive timeout -k 5 120 chroot "$root.part" \
			apt-get install -y -q --no-install-recommends crash makedumpfile; then
		rm -rf "$root.part"/var/{cache/apt,lib/apt/lists}/*
		mv "$root.part" "$root"
	fi >"$out/$suite.log" 2>&1 </dev/null
	[ -d "$root" ] || echo "cannot be had: $(grep . "$out/$suite.log" | tail -n 1)"
}

# program NAME: the release's program, to be run with its libraries and with files of
# the host.
program() {
	printf '#!/bin/sh\nexec %q --library-path %q %q "$@"\n' "$root/lib64/ld-linux-x86-64.so.2" \
		"$root/usr/lib/x86_64-linux-gnu" "$root/usr/bin/$1" >"$out/$suite.$1"
	chmod +x "$out/$suite.$1"
	echo "$out/$suite.$1"
}

# version PROGRAM: what it says of itself.
version() { "$1" -v 2>&1 | grep -oE '^(makedumpfile: version|crash) [^ ]*' | sed 's/: version//'; }

# The extension, built with the header that this crash comes with.
build_extension() {
	local tools=$PWD/build/suites/$suite.tools
	extension=$tools/lkst.so
	rm -f "$extension"
	mkdir -p "$tools"
	make -s -C tools/lkst O="$tools" CRASH="$root/usr/include/crash" "$extension" \
		>"$out/$suite.built" 2>&1
}

for c in debootstrap crash makedumpfile; do
	command -v $c >/dev/null || none "there is no $c"
done
[ "$(id -u)" -eq 0 ] || none "debootstrap is for root"
mkdir -p "$out"
found=() left=''
for suite in trixie sid; do
	root=$PWD/build/suites/$suite
	why=$(get_suite)
	if [ -z "$why" ]; then found+=("$suite"); else left+="${left:+; }$suite $why"; fi
done
[ ${#found[@]} -gt 0 ] || none "$left"

echo "KTAP version 1"
[ -z "$left" ] || skip "$left"
dump kdump -c
want "$dir/vmcore" && add_debugging_data
result $? "there is what crash has to do"
for suite in "${found[@]}"; do
	root=$PWD/build/suites/$suite
	makedumpfile=$(program makedumpfile) crash_program=$(program crash)
	all_made "$suite's $(version "$makedumpfile"), "
	name="$suite's $(version "$crash_program")"
	build_extension
	result $? "$name: the extension can be built"
	crash_same "$name" "$dir/vmcore" --minimal --kaslr=auto
	"$makedumpfile" --message-level 0 -c -d 31 "$dir/vmcore" "$dir/made" >"$dir/made.log" 2>&1
	crash_same "$name, of a compressed dump" "$dir/made" --minimal --kaslr=auto
done
rm -f "$dir"/{vmcore*,made} "$vmlinux"
echo "1..$n"
exit $bad
