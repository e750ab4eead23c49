#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# check: full
# guest: memory=512M time=900
# The same, where what was kept has to outlast a minute of load from all contexts.

exec ./keep.sh 60
