#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Whoever is not root can open nothing, directories included.

. ./functions.sh
plan 4

put buffers/create "mine size=64K packet=4K" >/dev/null
put masksets/create mine >/dev/null
for d in $K $P; do
	./attempt -u 1000 open "$d" >/tmp/open
	sed '$d' /tmp/open | sed 's/^/# can be opened: /'
	same "uid 1000 can open nothing below $d" 0 "$(sed '$d' /tmp/open | wc -l)"
	pass "and all was tried" [ "$(sed -n '$s/ .*//p' /tmp/open)" = "$(find "$d" | wc -l)" ]
done
finish
