#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts, of what is done with files.

. ./functions.sh
./counts-fs
code=$?
restore
exit $code
