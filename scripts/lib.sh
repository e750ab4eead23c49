# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the scripts share.  They run at the top of the repository.  The Makefile
# has MAP (the copy map) and SERIES (the list of patches).

[ -n "${MAP:-}" ] || eval "$(make -s --no-print-directory vars)"
TESTED=6.12.117	# the kernel that the patches are made against

die() { echo "${0##*/}: $*" >&2; exit 1; }

# Several people can share the folder: one at a time works on build/$1, and the
# lock lasts as long as the script.
lock() {
	mkdir -p build
	exec 9>"build/$1.lock"
	flock 9
}

# Is the kernel tree $1 one that the series is for?
is_612() {
	[ "$(sed -n 's/^VERSION = //p; s/^PATCHLEVEL = //p' "$1/Makefile" 2>/dev/null | xargs)" = "6 12" ]
}

# The project's files in the kernel tree's terms: "source target" lines.
overlay_files() {
	for m in $MAP; do
		[ -d "${m%%:*}" ] || continue
		find "${m%%:*}" -type f ! -name '*.o' ! -name '*.pyc' ! -name '.*.swp' \
			! -name '*~' ! -name '.checkpatch-*' |
			LC_ALL=C sort | sed "s|^${m%%:*}/\(.*\)|& ${m#*:}/\1|"
	done
}

# The patches in the order of the series.
series_patches() {
	[ ! -f "patches/$SERIES" ] || grep '\.patch$' "patches/$SERIES" || :
}

# The files that the patches $@ touch.
patched_files() {
	[ $# -eq 0 ] || sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$@" | LC_ALL=C sort -u
}

# copy_changed FROM TO: only what differs is written, and then with the time of
# now: a file that was edited during a build is newer than what was built of it.
copy_changed() {
	cmp -s "$1" "$2" && return
	mkdir -p "${2%/*}"
	cp "$1" "$2"
	[ ! -x "$1" ] || chmod +x "$2"
}

# copy_patched_files TREE DIR: make DIR hold copies of what the series touches in
# TREE, and nothing else.
copy_patched_files() {
	rm -rf "$2"
	mkdir -p "$2"
	# shellcheck disable=SC2046 # names without blanks
	for f in $(patched_files $(series_patches | sed 's|^|patches/|')); do
		[ -e "$1/$f" ] || continue
		mkdir -p "$2/$(dirname "$f")"
		cp "$1/$f" "$2/$f"
	done
}

# apply_patch DIR PATCH [-R]: what patch(1) says is in DIR.log.
apply_patch() {
	patch -d "$1" -p1 -s -f --fuzz=0 --no-backup-if-mismatch -r - ${3:+"$3"} \
		<"patches/$2" >"$1.log" 2>&1
}

# patch_copy TREE DIR NAME: make DIR hold copies of what the series touches in
# TREE, patched.  TREE, which the user knows as NAME, stays as it is; the first
# patch that does not fit ends it.
patch_copy() {
	copy_patched_files "$1" "$2"
	for p in $(series_patches); do
		apply_patch "$2" "$p" && continue
		cat "$2.log" >&2
		die "patches/$p does not fit $3 (tested with linux-$TESTED); nothing was changed"
	done
}

# The expressions that find a splat in a kernel log.
splat_list() { grep -v -E '^(#|$)' qemu/splats; }
