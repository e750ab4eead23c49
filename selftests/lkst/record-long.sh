#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# check: full
# guest: memory=512M time=1200
# The same for ten minutes.

exec ./record-load.sh 600
