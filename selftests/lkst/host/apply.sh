#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/apply puts the project into a kernel tree once, or says what is in the
# way and changes nothing. Runs on the host.

# shellcheck source=selftests/lkst/host/functions.sh
. "$(dirname "$0")/functions.sh"
tree=$tmp/linux

# refused NAME TEXT: the tree is left as it is, and that is said with the reason.
refused() {
	local before
	before=$(state "$tree")
	ends 1 scripts/apply "$tree" && says "$2" && says "nothing was changed" &&
		[ "$before" = "$(state "$tree")" ]
	result "$1"
}

# already NAME: the same, as what was asked for is so.
already() {
	local before
	before=$(state "$tree")
	ends 0 scripts/apply "$tree" && says "$tree has all of it already; nothing was changed" &&
		[ "$before" = "$(state "$tree")" ]
	result "$1"
}

kernel_tree "$tree"
make_unfit "$tree"
refused "a patch that does not fit" "$unfit does not fit $tree (tested with linux-$TESTED)"
rm -r "$tree"

kernel_tree "$tree"
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 1/' "$tree/Makefile"
refused "a tree of another version" "$tree is not linux 6.12 (tested with linux-$TESTED)"
rm "$tree/Makefile"
refused "no kernel tree" "$tree is not a kernel tree"
rm -r "$tree"
refused "nothing there" "$tree is not a kernel tree"

kernel_tree "$tree"
ends 0 make apply KDIR="$tree" && says "say CONFIG_LKST=y" && has_project "$tree"
result "a 6.12 tree"
already "a second time"
echo "/* mine */" >>"$tree/kernel/panic.c"
already "a second time, with changes of the user's own"
cp "$top/build/pristine/kernel/panic.c" "$tree/kernel/panic.c"
# Two patches are to that file: the last to be applied is the first to be missed.
refused "a patch was taken out" "but not patches/common/0670-panic-warnings.patch as it is here"
echo "/* another */" >>"$tree/kernel/lkst/core.c"
refused "another version of the project" "but another kernel/lkst/core.c"
rm "$tree/kernel/lkst/core.c"
refused "a part of the project" "but another kernel/lkst/core.c"
finish
