// SPDX-License-Identifier: GPL-2.0
/*
 * lkst.so: the commands `lkst status', `lkst print' and `lkst save' for crash(8).
 *
 *	crash> extend lkst.so
 *	crash> lkst print -n 20
 *
 * Of the kernel crash needs to know nothing: what is read is physical memory, and
 * vmcoreinfo. So the commands are there with --minimal, too.
 */
#include <defs.h>

#include "memsrc.h"
#include "notes.h"
#include "run.h"

#define PAGE		4096u
#define HOW		(RETURN_ON_ERROR | QUIET)

/* The memory that crash reads. */

static size_t memory_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	size_t done = 0, part;

	(void)m;
	while (done < n) {
		part = min_t(size_t, n - done, PAGE - (pa + done) % PAGE);
		if (!readmem(pa + done, PHYSADDR, (char *)buf + done, part, "lkst", HOW))
			break;
		done += part;
	}
	return done;
}

/* Holes in it are found by reading. */
static bool memory_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	*start = pa;
	*end = m->present;
	return pa < m->present;
}

/* The values are kept, as is all that the process has: it ends with the command. */
static const char *memory_vmcoreinfo(const struct memsrc *m, const char *key)
{
	(void)m;
	return pc->read_vmcoreinfo(key);
}

static void memory_close(struct memsrc *m)
{
	free(m->vmcoreinfo);
	free(m);
}

static const struct memsrc_ops memory_ops = {
	.read = memory_read,
	.next_range = memory_next_range,
	.close = memory_close,
};

static const struct memsrc_ops memory_with_vmcoreinfo_ops = {
	.read = memory_read,
	.next_range = memory_next_range,
	.vmcoreinfo = memory_vmcoreinfo,
	.close = memory_close,
};

/* The value of a variable of the kernel, 0 if it cannot be had. */
static u64 get_variable(char *name)
{
	u64 value = 0;

	if (!symbol_exists(name) ||
	    !readmem(symbol_value(name), KVADDR, &value, sizeof(value), name, HOW))
		return 0;
	return value;
}

/* For a dump without vmcoreinfo: the one in memory, where its symbol says it is. */
static char *read_vmcoreinfo(void)
{
	char *text = xcalloc(PAGE + 1, 1);
	u64 note = get_variable("vmcoreinfo_note");

	if (note && readmem(note + NOTE_TEXT, KVADDR, text, PAGE, "lkst", HOW) &&
	    !strncmp(text, VMCOREINFO_BEGIN, strlen(VMCOREINFO_BEGIN)))
		return text;
	free(text);
	return NULL;
}

struct memsrc *memsrc_open(const char *path, const char *const *part, size_t parts)
{
	struct memsrc *m;

	if (parts) {
		trouble("%s: what is read is %s, and nothing else", part[0], path);
		return NULL;
	}
	m = xcalloc(1, sizeof(*m));
	m->present = get_variable("max_pfn") * PAGE;
	m->ops = &memory_ops;
	if (pc->read_vmcoreinfo("OSRELEASE"))
		m->ops = &memory_with_vmcoreinfo_ops;
	else
		m->vmcoreinfo = read_vmcoreinfo();
	return m;
}

/* The command. */

/*
 * A process of its own: it may run out of memory or be interrupted, and has its own
 * options, output and files. crash waits, so the dump's file is not read by both.
 */
static void __attribute__((noreturn)) run(void)
{
	const char *dump = pc->dumpfile ? pc->dumpfile : "the running kernel";
	int sig;

	/* What crash's handlers return to is its prompt. */
	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	if (setjmp(pc->main_loop_env))
		_exit(LKST_EXIT_PARTIAL);
	dup2(fileno(fp), STDOUT_FILENO);
	/* A pager has the terminal. */
	if (pc->stdpipe)
		dup2(fileno(pc->stdpipe), STDERR_FILENO);
	_exit(run_command(dump, argcnt - 1, args + 1));
}

static void wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return;
	/* Ctrl-C, or the other end of a pipe that has seen enough. */
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGINT &&
	    WTERMSIG(status) != SIGPIPE)
		error(INFO, "lkst: ended by signal %d\n", WTERMSIG(status));
}

static void command(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	pid_t child;

	if (argcnt < 2)
		cmd_usage(pc->curcmd, SYNOPSIS);
	fflush(stdout);
	fflush(fp);
	sigaction(SIGINT, &ignore, &old);
	child = fork();
	if (!child)
		run();
	if (child > 0)
		wait_for(child);
	else
		error(INFO, "lkst: cannot make a process: %s\n", strerror(errno));
	sigaction(SIGINT, &old, NULL);
}

static char *help[] = {
	"lkst",
	"the trace that LKST recorded",
	"status [OPTION...] | print [OPTION...] | save [OPTION...] DIR",
	"  This command reads what the Linux Kernel State Tracer recorded up to the crash.",
	"  The options are those of lkst(1): `lkst print --help' lists them.",
	" ",
	"    status  what the tracer did: clock, maskset, buffers and their counters",
	"     print  the records, in the order of time over all CPUs",
	"  save DIR  write the trace to a directory, as `lkst extract' does: `lkst print' and",
	"            babeltrace2 read it",
	"\nEXAMPLES",
	"  The last records of the CPU that crashed:\n",
	"    crash> lkst print -c 1 -n 20",
	" ",
	"  What a thread did, in a pager or in a file:\n",
	"    crash> lkst print -t 76",
	"    crash> lkst print -t 76 >76.txt",
	NULL
};

static struct command_table_entry table[] = {
	{ "lkst", command, help, MINIMAL },
	{ NULL }
};

static void __attribute__((constructor)) load(void)
{
	register_extension(table);
}
