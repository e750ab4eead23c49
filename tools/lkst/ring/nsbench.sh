#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Print what a record costs natively, as lines of name, figure, unit, peer's
# figure and bar, with tabs between them.  $1 is the folder with the programs;
# one run of nsbench-peer beside LTTng-UST, or of nsbench where that cannot be.

set -eu
dir=$1
tmp=$(mktemp -d)
daemon=
# A session daemon of our own, stopped by its number.
cleanup() {
	if [ "$daemon" ]; then
		lttng destroy lkst-ring >/dev/null 2>&1 || :
		kill "$daemon" 2>/dev/null || :
		wait "$daemon" 2>/dev/null || :
	fi
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# A flight recorder session: nothing is read from it, and it overwrites.
peer_start() {
	for need in "$dir/nsbench-peer" lttng-sessiond lttng; do
		command -v "$need" >/dev/null || {
			echo "nsbench: no $need (Debian's lttng-tools and liblttng-ust-dev)" >&2
			return 1
		}
	done
	LTTNG_HOME=$tmp
	export LTTNG_HOME
	lttng-sessiond --no-kernel >"$tmp/log" 2>&1 &
	daemon=$!
	n=0
	until lttng --no-sessiond create lkst-ring --snapshot --output="$tmp/snapshot" >"$tmp/out" 2>&1; do
		n=$((n + 1))
		if [ $n -gt 50 ] || ! kill -0 $daemon 2>/dev/null; then
			sed 's/^/nsbench: /' "$tmp/log" "$tmp/out" >&2
			return 1
		fi
		sleep 0.2
	done
	{
		lttng --no-sessiond enable-channel -u ring --overwrite --subbuf-size=512K --num-subbuf=8 &&
		lttng --no-sessiond enable-event -u -c ring 'lkst_peer:*' &&
		lttng --no-sessiond start
	} >"$tmp/out" 2>&1 || { sed 's/^/nsbench: /' "$tmp/out" >&2; return 1; }
}

if peer_start; then
	LTTNG_UST_REGISTER_TIMEOUT=10000 "$dir/nsbench-peer" >"$tmp/ns"
	# What its tracepoint costs when it is off is no figure of its own.
	lttng --no-sessiond snapshot record >/dev/null 2>&1 || :
	[ -n "$(find "$tmp/snapshot" -name 'ring_*' -size +4k 2>/dev/null)" ] || {
		echo "nsbench: LTTng-UST recorded nothing" >&2
		sed -i '/^lttng/d' "$tmp/ns"
	}
else
	"$dir/nsbench" >"$tmp/ns"
fi

awk -v OFS='\t' '
	{ ns[$1] = $2 }
	END {
		r = ns["record"]
		print "native: rdtsc alone", ns["rdtsc"], "ns", "", ""
		print "native: record of two 64-bit fields", r, "ns", ns["lttng"], ""
		print "native: that record, in rdtscs", sprintf("%.2f", r / ns["rdtsc"]), "times", "", "<= 2"
		print "native: LTTng-UST against it", ns["lttng"] ? sprintf("%.1f", ns["lttng"] / r) : "", "times", ns["lttng"], ">= 5"
	}' "$tmp/ns"
