# SPDX-License-Identifier: GPL-2.0
# The files that the command is made of, without .c; but for its main file, and for
# decompress.c, which is built in more ways than one. For the command, its tests and
# the fuzzer.

# Dumps, and the trace in them.
DUMPS := dump dumpmeta dumpsyms ring scan packet metadata names symbols text util memsrc \
	forms image flat notes pages elf diskdump lkcd migration raw hole progress virt klog

# What records are chosen, shown and converted by.
READING := view viewargs archive show values condition convert ctfout toctf tolttng \
	toperfetto tochrome stat

# What writes the running kernel's trace to files.
STREAMING := snapshot record session output outdir live

TOOL := extract print status control verbs list maskset handler buffer switch source merge \
	json summary usage $(DUMPS) $(READING) $(STREAMING)
