#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In every ring: order of times and packets, and exact accounts.

. ./functions.sh
./order
code=$?
restore
exit $code
