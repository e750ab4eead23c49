#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# LINUX= takes a kernel tree or a tarball of one in place of the packaged source;
# what does not do leaves build/linux as it is. Runs on the host.

# shellcheck source=selftests/lkst/host/functions.sh
. "$(dirname "$0")/functions.sh"
tree=$tmp/linux

# The files of build/linux, by what is in them.
content() { (cd build/linux && find . -type f -exec cksum {} + | LC_ALL=C sort -k 3); }

# refused NAME SOURCE TEXT
refused() {
	local before
	before=$(state build/linux build/pristine build/tree.source)
	ends 1 env LINUX="$2" scripts/tree && says "$3" && says "nothing was changed" &&
		[ "$before" = "$(state build/linux build/pristine build/tree.source)" ] &&
		[ ! -e build/linux.new ]
	result "$1"
}

kernel_tree "$tree"
mkdir "$tree/.git" "$tree/sub"
touch "$tree/.git/HEAD" "$tree/.config" "$tree/sub/.git"
before=$(state "$tree")
ends 0 env LINUX="$tree" scripts/tree && has_project build/linux
result "a tree"
[ "$before" = "$(state "$tree")" ]
result "that stays as it is"
[ -e build/linux/sub/.git ] && [ ! -e build/linux/.git ] && [ ! -e build/linux/.config ]
result "its history and what was built in it are not taken"
before=$(state build/linux)
ends 0 env LINUX="$tree" scripts/tree && [ "$before" = "$(state build/linux)" ]
result "a second run writes nothing"
echo "/* mine */" >>"$tree/kernel/panic.c"
ends 0 env LINUX="$tree" scripts/tree && has_project build/linux &&
	grep -q "mine" build/linux/kernel/panic.c
result "a change of the tree is taken"

content >"$tmp/want"
rm -r "$tree/.git" "$tree/.config"
for kind in xz gz; do
	tar -C "$tmp" -caf "$tmp/linux.tar.$kind" linux
	ends 0 env LINUX="$tmp/linux.tar.$kind" scripts/tree && content | diff "$tmp/want" - >>"$tmp/log"
	result "a tarball, .$kind, makes the same"
done

make_unfit "$tree"
refused "a tree that a patch does not fit" "$tree" \
	"$unfit does not fit $tree (tested with linux-$TESTED)"
tar -C "$tmp" -caf "$tmp/unfit.tar.gz" linux
refused "a tarball that a patch does not fit" "$tmp/unfit.tar.gz" \
	"$unfit does not fit $tmp/unfit.tar.gz (tested with linux-$TESTED)"
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 1/' "$tree/Makefile"
refused "a tree of another version" "$tree" "$tree is not linux 6.12 (tested with linux-$TESTED)"
tar -C "$tmp" -caf "$tmp/other.tar.gz" linux
refused "a tarball of another version" "$tmp/other.tar.gz" "$tmp/other.tar.gz is not linux 6.12"
mkdir "$tmp/empty"
refused "a folder of something else" "$tmp/empty" "$tmp/empty is not linux 6.12"
refused "a file of something else" "$project/Makefile" "is neither a kernel tree nor a tarball"

before=$(state build/linux)
ends 0 env LINUX="$tmp/linux.tar.gz" scripts/tree && [ "$before" = "$(state build/linux)" ]
result "the source that was there is still there"
# A patch of the project that does not fit the source it had.
make_unfit "build/pristine"
before=$(state build/linux)
echo "/* new */" >>kernel/lkst/core.c
ends 1 env LINUX="$tmp/linux.tar.gz" scripts/tree && says "nothing was changed" &&
	[ "$before" = "$(state build/linux)" ]
result "a patch that fits no longer"
ends 1 env LINUX="$tmp/missing" scripts/tree && says "$tmp/missing"
result "nothing there"
finish
