// SPDX-License-Identifier: GPL-2.0
/* lkst convert: a trace, or a part of it, in the form of another tool. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert.h"
#include "lkst.h"
#include "outdir.h"
#include "symbols.h"

#define FLUSH_AT	65536u

static const char help[] =
	"Usage: lkst convert --to=FORM [-o OUT] [OPTION...] [SOURCE...]\n"
	"Convert a trace directory, an archive of one, a crash dump, or the running kernel's\n"
	"trace, or the records of it that are chosen.\n"
	"\n"
	"      --to=FORM      ctf: as it is, for babeltrace2 and lkst; lttng: CTF with the\n"
	"                     names of LTTng, for Trace Compass; perfetto; chrome: JSON;\n"
	"                     text\n"
	"  -o, --output=OUT   a new directory (ctf, lttng), else a file or standard output\n"
	VIEW_HELP
	"  -h, --help         show this\n";

enum { OPTION_TO = 256 };

static const struct option options[] = {
	VIEW_OPTIONS,
	{ "to", required_argument, NULL, OPTION_TO },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

void convert_write(struct convert *c, const void *bytes, size_t n)
{
	fwrite(bytes, 1, n, c->file);
}

bool convert_file(struct convert *c, const char *name, const void *bytes, size_t n)
{
	char *path = xasprintf("%s/%s", c->path, name);
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(bytes, 1, n, f) == n;

	if (f)
		ok &= !fclose(f);
	if (!ok)
		trouble("%s: %s", path, strerror(errno));
	free(path);
	return ok;
}

void convert_comm(struct convert *c, u32 tid, u32 cpu, char *comm)
{
	struct who who;

	if (!names_find(c->view.names, tid, cpu, &who))
		who.comm[0] = '?';
	memcpy(comm, who.comm, LKST_COMM_SIZE);
}

u64 convert_number(const struct event *e, const struct record *r, const char *name)
{
	u64 v = 0;

	record_number(e, r, name, &v);
	return v;
}

void convert_symbol(struct convert *c, u64 address, struct text *out)
{
	struct symbols *all = trace_symbols(c->view.trace);
	const struct symbol *s = symbols_find(all, address);

	text_need(out, SYMBOL_NAME_MAX);
	if (s)
		text_bytes(out, symbols_name(all, s), s->len);
	else
		text_hex(out, address);
}

/* Text is what lkst print prints. */

static bool text_begin(struct convert *c)
{
	(void)c;
	return true;
}

static void text_item(struct convert *c, const struct merge_item *i, struct event *e)
{
	show_item(&c->show, i, e);
	if (c->show.out.len < FLUSH_AT)
		return;
	convert_write(c, c->show.out.buf, c->show.out.len);
	c->show.out.len = 0;
}

static void text_end(struct convert *c)
{
	convert_write(c, c->show.out.buf, c->show.out.len);
}

static const struct converter to_text = {
	.name = "text",
	.begin = text_begin,
	.item = text_item,
	.end = text_end,
};

static const struct converter *const converters[] = {
	&to_ctf, &to_lttng, &to_perfetto, &to_chrome, &to_text,
};

/* Is a file what is read, or a part of it? */
static bool is_source(const char *path, int n, char **source)
{
	struct stat to, from;

	if (stat(path, &to) || !S_ISREG(to.st_mode))
		return false;
	while (n--)
		if (!stat(source[n], &from) && from.st_dev == to.st_dev &&
		    from.st_ino == to.st_ino)
			return true;
	return is_in_trace(path);
}

/* Make what is written to; false after saying why not. */
static bool open_output(struct convert *c, int n, char **source)
{
	if (c->to->is_dir) {
		if (!mkdir(c->path, 0777))
			return true;
		trouble("-o, --output: %s: %s", c->path, strerror(errno));
		return false;
	}
	if (c->path && is_source(c->path, n, source)) {
		trouble("-o, --output: %s: is what is read, and stays as it is", c->path);
		return false;
	}
	c->file = c->path ? fopen(c->path, "w") : stdout;
	if (!c->file)
		trouble("-o, --output: %s: %s", c->path, strerror(errno));
	return c->file;
}

static void close_output(struct convert *c)
{
	bool ok;

	if (!c->file)
		return;
	ok = !fflush(c->file) && !ferror(c->file);
	if (c->path)
		ok &= !fclose(c->file);
	if (!ok)
		trouble("%s: cannot be written: %s",
			c->path ? c->path : "standard output", strerror(errno));
}

static void convert(struct convert *c)
{
	struct progress p = {
		.what = "converting",
		.hidden = c->file == stdout && !progress_beside_output(),
	};
	const struct merge_item *i;
	struct event *e;

	c->show.v = &c->view;
	show_begin(&c->show);
	if (c->to->begin(c)) {
		while ((i = view_next(&c->view, &e))) {
			c->to->item(c, i, e);
			progress_step(&p, record_words(&i->record) * 8);
		}
		progress_end(&p);
		c->to->end(c);
	}
	show_end(&c->show);
}

static const char *parse_option(void *data, int option, const char *arg)
{
	struct convert *c = data;
	size_t i;

	if (option == 'o') {
		c->path = arg;
		return *arg ? NULL : "the name of a file or directory";
	}
	for (i = 0; i < ARRAY_SIZE(converters); i++)
		if (!strcmp(arg, converters[i]->name))
			c->to = converters[i];
	return c->to ? NULL : "ctf, lttng, perfetto, chrome or text";
}

static bool output_ok(const struct convert *c)
{
	if (!c->to)
		note("--to: is missing: ctf, lttng, perfetto, chrome or text");
	else if (c->to->is_dir && !c->path)
		note("-o, --output: is missing: %s is a directory", c->to->name);
	else if (c->to->is_binary && !c->path && isatty(STDOUT_FILENO))
		note("-o, --output: is missing: %s is nothing for a terminal",
		     c->to->name);
	else
		return true;
	return false;
}

int cmd_convert(int argc, char **argv)
{
	static const struct view_command command = {
		"convert", help, VIEW_SHORT "ho:", options, parse_option,
	};
	struct convert c = { };
	int code = view_parse(&c.view, &command, &c, argc, argv);

	if (code >= 0)
		return code;
	if (!output_ok(&c) ||
	    !view_arguments_ok(&c.view, argc - optind, argv + optind))
		return see_help("convert");
	if (view_open(&c.view, argv[optind]) &&
	    open_output(&c, argc - optind, argv + optind)) {
		convert(&c);
		close_output(&c);
	}
	view_close(&c.view);
	return exit_code();
}
