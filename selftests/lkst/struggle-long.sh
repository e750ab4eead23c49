#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# check: full
# guest: memory=768M time=1200
# The same for two minutes.

exec ./struggle.sh 120
