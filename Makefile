# SPDX-License-Identifier: GPL-2.0
# The one entry point.  What is made lies in build/; the work is in scripts/ and
# qemu/, which can be called by themselves too.

# The copy map: where the project's folders lie in the kernel tree.
MAP := kernel/lkst:kernel/lkst kernel/include:include kernel/samples:samples \
	Documentation:Documentation tools/lkst:tools/lkst \
	selftests/lkst:tools/testing/selftests/lkst
SERIES := series-6.12
# A kernel source, tree or tarball, in place of the Debian package's.
export MAP SERIES LINUX

STEP := scripts/step

# What a target must be told, before anything is built for it, and what test(1)
# must say of that.
need = $(if $(filter $1,$(MAKECMDGOALS)),$(if $($2),$(call must,$1,$2,$3,$4),\
	$(error make $1: say $2=$3)))
must = $(if $(shell test $4 "$($2)" && test -r "$($2)" && echo yes),,\
	$(error make $1: $2=$($2): no such $3, or it cannot be read))
$(call need,guest,SCRIPT,file,-f)
$(call need,apply,KDIR,path,-d)

help:		## this list
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: ready	## the main job, end to end: boot, trace, crash, read the dump
	@scripts/demo
check: ready	## every test that fits in 40 minutes (DEBUG=1: guests under a debug kernel)
	@scripts/check $(if $(DEBUG),-d)
check-full: kernel-kcsan ready	## every test, and how long each part takes
	@scripts/check -l
check-series: ready	## the series patch by patch: each builds and boots (an hour)
	@scripts/check series
bench: ready kernel-off	## what tracing costs, as one table
	@qemu/bench
shell: ready	## a prompt in the traced guest
	@qemu/run -c -g /root -o build/shell
guest: ready	## SCRIPT=file [ARGS="kernel arguments"]: run your script in the traced guest
	@qemu/run -c -g /root -o build/guest -a "$(ARGS)" "$(SCRIPT)"
series:		## the mailable series, in build/series
	@scripts/series
apply:		## KDIR=path: put it into a 6.12 tree of your own
	@scripts/apply "$(KDIR)"
lint: tree	## style and static checks
	@scripts/lint
clean:		## remove build/
	rm -rf build

# The parts.  Each does only what is left to do.

packages:
	@scripts/packages
tree: packages
	@scripts/tree
kernel: tree
	+@$(STEP) "Building the kernel$(if $(wildcard build/kernel/arch/x86/boot/bzImage),, \
		(the first time: some ten minutes))" \
		qemu/kernel kernel kernel.config lkst.config samples.config
kernel-off: tree
	+@$(STEP) "Building the kernel without LKST" \
		qemu/kernel kernel-off kernel.config
kernel-debug: tree
	+@$(STEP) "Building the debug kernel" \
		qemu/kernel kernel-debug kernel.config lkst.config debug.config
kernel-kcsan: tree
	+@$(STEP) "Building the kernel with KCSAN" \
		qemu/kernel kernel-kcsan kernel.config lkst.config kcsan.config
debug := $(if $(DEBUG)$(filter check-full,$(MAKECMDGOALS)),kernel-debug)
ready: kernel $(debug)
	@$(STEP) "Building the command and the tests" qemu/programs $(debug)
	@qemu/rootfs

vars:
	@echo "MAP='$(MAP)' SERIES='$(SERIES)'"

.PHONY: help demo check check-full check-series bench shell guest series apply lint clean \
	packages tree kernel kernel-off kernel-debug kernel-kcsan ready vars
.NOTPARALLEL:
