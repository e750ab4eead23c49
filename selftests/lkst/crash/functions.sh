# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# What the tests that crash guests share: where they are, and their results.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
out=${OUT:-build/check/${0##*/}}
lkst=build/tools/lkst
n=0
bad=0

# result CODE NAME
result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}
