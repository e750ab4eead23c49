#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: cpus=2
# A guest of its own: what it counts are signals, and any process that ends sends one.
#
# In every ring: order of times and packets, and exact accounts.

. ./functions.sh
./order
code=$?
restore
exit $code
