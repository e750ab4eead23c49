# SPDX-License-Identifier: GPL-2.0
# The files that the command is made of, without .c; but for its main file, and for
# decompress.c, which is built in more ways than one. For the command, its tests and
# the fuzzer, which say in TOOLDIR where this folder is.

FOLDERS := $(addprefix $(TOOLDIR)/,dump trace convert live)
vpath %.c $(TOOLDIR) $(FOLDERS)
INCLUDES := $(addprefix -iquote ,$(TOOLDIR) $(FOLDERS))

# dump/: the forms of crash dumps, and the trace in them.
DUMPS := dump dumpmeta dumpsyms ring scan memsrc forms image flat notes pages elf diskdump \
	lkcd migration raw hole virt klog

# trace/: records decoded, in order, chosen and shown. The first are for dumps too.
DECODER := packet metadata names symbols
READING := source merge follow archive view viewargs condition values show

# convert/: other forms of traces.
CONVERTERS := convert ctfout toctf tolttng toperfetto tochrome

# live/: the running kernel, its settings and what streams its trace to files.
LIVE := control verbs list maskset handler buffer switch live session output snapshot record

COMMON := text util progress
TOOL := extract print status stat calls summary json usage outdir $(COMMON) $(DUMPS) $(DECODER) \
	$(READING) $(CONVERTERS) $(LIVE)

# condition.c has the kernel's source, and in place of its headers what match/ and
# ring/ have.
CONDITION := -I$(TOOLDIR)/match/include -I$(TOOLDIR)/ring/include -funsigned-char \
	-Wno-missing-field-initializers '-DIS_ENABLED(option)=0'
