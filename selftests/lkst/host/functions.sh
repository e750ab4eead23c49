# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the tests of the project's own scripts: they run in $project, a copy of it
# without build/, and with as much of a kernel tree as they look at.

top=$(cd "$(dirname "$0")/../../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
project=$tmp/project
n=0 bad=0

# What the make that runs the tests was told is not for those that they run.
unset MAP SERIES LINUX MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
rsync -a --exclude=/build --exclude=/.git "$top/" "$project/"
cd "$project" || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# result NAME: for the exit code of the command before it.
result() {
	local code=$?
	n=$((n + 1))
	if [ $code -eq 0 ]; then
		echo "ok $n - $1"
		return
	fi
	bad=1
	sed 's/^/# /' "$tmp/log"
	echo "not ok $n - $1"
}

finish() {
	echo "1..$n"
	exit $bad
}

# ends CODE COMMAND...: it ends with this code; what it says is in $tmp/log.
ends() {
	local want=$1 code=0
	shift
	"$@" >"$tmp/log" 2>&1 || code=$?
	[ $code -eq "$want" ] || { echo "exit code $code, not $want" >>"$tmp/log"; false; }
}

says() { grep -qF -- "$1" "$tmp/log" || { echo "nothing says: $1" >>"$tmp/log"; false; }; }

# state DIR...: every file, its size, and when it was written.
state() { find "$@" -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort; }

# kernel_tree DIR: the files that the series touches, and what tells the version.
kernel_tree() {
	[ -d "$top/build/pristine" ] || { echo "# no build/pristine: make tree"; exit 4; }
	mkdir -p "$1"
	cp -r "$top/build/pristine/." "$1"
	touch "$1/Kconfig"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\nmrproper:\n\trm -f .config\n' >"$1/Makefile"
}

# make_unfit DIR: change every line of a file that a patch touches, which is $unfit.
make_unfit() {
	sed -i 's/$/ /' "$1/kernel/panic.c"
	# shellcheck disable=SC2034 # for the tests
	unfit=$(series_patches | sed 's|^|patches/|' | xargs grep -l '^+++ b/kernel/panic.c' | head -n 1)
}

# has_project DIR: the project's files are in it, and a hook.
has_project() {
	diff -r kernel/lkst "$1/kernel/lkst" &&
		cmp tools/lkst/lkst.c "$1/tools/lkst/lkst.c" &&
		grep -q lkst "$1/init/main.c"
} >>"$tmp/log" 2>&1
