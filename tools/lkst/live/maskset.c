// SPDX-License-Identifier: GPL-2.0
/* lkst maskset: which handler runs for which event. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verbs.h"

#define DEFINITION_MAX	0x100000u

static const char help[] =
	"Usage: lkst maskset [VERB [ARGUMENT...] | NAME]\n"
	"Choose what is recorded. Without an argument, list all masksets.\n"
	"\n"
	"  NAME, switch NAME             make NAME the current maskset\n"
	"  create NAME [from OTHER] [PATTERN=HANDLER...]\n"
	"                                make a new one, empty or as OTHER\n"
	"  set NAME PATTERN=HANDLER...   change what events are mapped to\n"
	"  show [NAME]                   show one, without NAME the current\n"
	"  remove NAME...                remove some\n"
	"  arm NAME, disarm NAME         keep its hooks on, or not, while it is not current\n"
	"  save NAME [FILE]              write a definition to FILE or standard output\n"
	"  load FILE [NAME]              make or change one as FILE, or - for standard input,\n"
	"                                defines it\n"
	"\n"
	"PATTERN is an event or a shell pattern of events, as in 'sched/*=record'\n"
	"'irq/*=none'; the last that fits an event counts. syscalls='openat close' limits\n"
	"the group syscall to these calls. What fails changes nothing.\n"
	"\n"
	"  -h, --help  show this\n";

/*
 * A maskset, or what is to become of one; @handler, @hooked and @said go with the events.
 * Of what was @said it is to become so.
 */
struct table {
	struct strings events;
	char **handler;
	bool *hooked;
	bool *said;
	char *syscalls;
	bool syscalls_said;
};

/* An event without a hook can be mapped in no maskset, so it is not in `all'. */
static bool has_hook(const char *event)
{
	char *handler = control_get("masksets/all/%s", event);
	bool has = !handler || strcmp(handler, "none");

	free(handler);
	return has;
}

static void table_read(struct table *t, const char *name)
{
	size_t i;

	*t = (struct table){ };
	control_events(&t->events);
	t->handler = xcalloc(t->events.nr, sizeof(*t->handler));
	t->hooked = xcalloc(t->events.nr, sizeof(*t->hooked));
	t->said = xcalloc(t->events.nr, sizeof(*t->said));
	for (i = 0; i < t->events.nr; i++) {
		t->handler[i] = control_see("masksets/%s/%s", name, t->events.at[i]);
		t->hooked[i] = has_hook(t->events.at[i]);
	}
	t->syscalls = control_get("masksets/%s/syscalls", name);
}

static void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->events.nr; i++)
		free(t->handler[i]);
	free(t->handler);
	free(t->hooked);
	free(t->said);
	free(t->syscalls);
	strings_free(&t->events);
}

static void replace(char **old, const char *new)
{
	free(*old);
	*old = xstrdup(new);
}

/* Map what fits the pattern. Patterns leave out events without a hook. */
static bool table_map(struct table *t, const char *pattern, const char *handler)
{
	bool found = false;
	size_t i;

	for (i = 0; i < t->events.nr; i++) {
		if (fnmatch(pattern, t->events.at[i], 0) ||
		    (strcmp(pattern, t->events.at[i]) && !t->hooked[i]))
			continue;
		found = true;
		t->said[i] = true;
		replace(&t->handler[i], handler);
	}
	return found;
}

static bool is_mapping(const char *word)
{
	const char *sign = strchr(word, '=');

	return sign && sign > word && sign[1];
}

/* Take "PATTERN=HANDLER" or "syscalls=NAMES"; @where it stands, for messages. */
static bool table_take(struct table *t, const char *word, const char *where)
{
	const char *sign = strchr(word, '=');
	bool ok = is_mapping(word);
	char *key;

	if (!ok) {
		trouble("%s\"%s\": is not of the form PATTERN=HANDLER", where, word);
		return false;
	}
	key = xasprintf("%.*s", (int)(sign - word), word);
	if (!strcmp(key, "syscalls")) {
		t->syscalls_said = true;
		replace(&t->syscalls, sign + 1);
	} else if (!table_map(t, key, sign + 1)) {
		trouble("%s\"%s\": no such event; `lkst list -n events' lists all",
			where, key);
		ok = false;
	}
	free(key);
	return ok;
}

static bool table_take_all(struct table *t, char **words)
{
	for (; *words; words++)
		if (!table_take(t, *words, ""))
			return false;
	return true;
}

/* Write back what @old had, of the first @n events. */
static void undo(const char *name, const struct table *old, const struct table *new,
		 size_t n)
{
	while (n--)
		if (new->said[n] && strcmp(old->handler[n], new->handler[n]))
			control_try(old->handler[n], "masksets/%s/%s", name,
				    old->events.at[n]);
}

/* Write what was said of it: another may change something else at the same time. */
static bool table_write(const struct table *new, const char *name)
{
	struct table old;
	bool ok = true;
	size_t i;

	table_read(&old, name);
	for (i = 0; ok && i < old.events.nr; i++)
		if (new->said[i] && strcmp(old.handler[i], new->handler[i]))
			ok = control_put(new->handler[i], "masksets/%s/%s", name,
					 old.events.at[i]);
	if (ok && new->syscalls_said && old.syscalls && strcmp(new->syscalls, old.syscalls))
		ok = control_put(new->syscalls, "masksets/%s/syscalls", name);
	if (!ok)
		undo(name, &old, new, i);
	table_free(&old);
	return ok;
}

/* Make a copy of @from, then what the table says of it; no half of it stays. */
static bool table_make(const struct table *t, const char *name, const char *from)
{
	char *line = xasprintf("%s from %s", name, from);
	bool ok = control_put(line, "masksets/create");

	free(line);
	if (!ok || table_write(t, name))
		return ok;
	control_try(name, "masksets/remove");
	return false;
}

static bool maskset_list(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_masksets();
	return true;
}

static bool maskset_switch(int argc, char **argv)
{
	(void)argc;
	return control_has("masksets", argv[0]) &&
		control_put(argv[0], "masksets/current");
}

/* Are all of the form PATTERN=HANDLER? If not, it is said. */
static bool mappings_ok(char **words)
{
	for (; *words; words++) {
		if (is_mapping(*words))
			continue;
		if (!strcmp(*words, "from"))
			note("\"from\": comes right after NAME, and before the name of a maskset");
		else
			note("\"%s\": is not of the form PATTERN=HANDLER", *words);
		return false;
	}
	return true;
}

static bool has_from(int argc, char **argv)
{
	return argc > 2 && !strcmp(argv[1], "from");
}

static bool create_ok(int argc, char **argv)
{
	return mappings_ok(argv + (has_from(argc, argv) ? 3 : 1));
}

static bool set_ok(int argc, char **argv)
{
	(void)argc;
	return mappings_ok(argv + 1);
}

static bool maskset_create(int argc, char **argv)
{
	const char *from = "none";
	char **words = argv + 1;
	struct table t;
	bool ok;

	if (has_from(argc, argv)) {
		from = argv[2];
		words = argv + 3;
	}
	if (!control_has("masksets", from))
		return false;
	table_read(&t, from);
	ok = table_take_all(&t, words) && table_make(&t, argv[0], from);
	table_free(&t);
	return ok;
}

static bool maskset_set(int argc, char **argv)
{
	struct table t;
	bool ok;

	(void)argc;
	if (!control_has("masksets", argv[0]))
		return false;
	table_read(&t, argv[0]);
	ok = table_take_all(&t, argv + 1) && table_write(&t, argv[0]);
	table_free(&t);
	return ok;
}

static char *current_name(void)
{
	char *name = control_see("masksets/current");

	name[strcspn(name, "\n")] = 0;
	return name;
}

static bool maskset_show(int argc, char **argv)
{
	char *current = current_name();
	const char *name = argc ? argv[0] : current;
	bool ok = control_has("masksets", name);
	struct table t = { };
	char *armed;
	size_t i;

	if (ok) {
		table_read(&t, name);
		armed = control_see("masksets/%s/armed", name);
		printf("maskset %s%s%s\n", name, strcmp(name, current) ? "" : ", current",
		       *armed == '1' ? ", armed" : "");
		if (t.syscalls && strcmp(t.syscalls, "all"))
			printf("syscalls: %s\n", t.syscalls);
		free(armed);
	}
	for (i = 0; i < t.events.nr; i++)
		if (strcmp(t.handler[i], "none"))
			printf("  %-27s %s\n", t.events.at[i], t.handler[i]);
	table_free(&t);
	free(current);
	return ok;
}

static bool maskset_remove(int argc, char **argv)
{
	return verb_remove("masksets", argc, argv);
}

static bool maskset_arm(int argc, char **argv)
{
	(void)argc;
	return control_has("masksets", argv[0]) &&
		control_put("1", "masksets/%s/armed", argv[0]);
}

static bool maskset_disarm(int argc, char **argv)
{
	(void)argc;
	return control_has("masksets", argv[0]) &&
		control_put("0", "masksets/%s/armed", argv[0]);
}

static void write_definition(FILE *f, const char *name, const struct table *t)
{
	size_t i;

	fprintf(f, "# A maskset of the Linux Kernel State Tracer; see lkst-maskset(1).\n");
	fprintf(f, "maskset=%s\n", name);
	if (t->syscalls && strcmp(t->syscalls, "all"))
		fprintf(f, "syscalls=%s\n", t->syscalls);
	for (i = 0; i < t->events.nr; i++)
		if (strcmp(t->handler[i], "none"))
			fprintf(f, "%s=%s\n", t->events.at[i], t->handler[i]);
}

static bool write_open(int fd, const char *name, const struct table *t)
{
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok = f;

	if (f) {
		write_definition(f, name, t);
		ok = !ferror(f);
		ok = !fclose(f) && ok;
	}
	return ok;
}

/* A file has the old or the new definition, whatever happens, where a link to it leads. */
static bool replace_file(const char *path, mode_t mode, const char *name,
			 const struct table *t)
{
	char *real = realpath(path, NULL), *new = xasprintf("%s.XXXXXX", real ? real : path);
	int fd = mkstemp(new);
	bool ok = fd >= 0 && !fchmod(fd, mode) && write_open(fd, name, t) &&
		!rename(new, real ? real : path);
	int err = errno;

	if (fd >= 0 && !ok)
		unlink(new);
	free(new);
	free(real);
	errno = err;
	return ok;
}

/* What is no file, such as a terminal or a pipe, is written to. */
static bool save_file(const char *path, const char *name, const struct table *t)
{
	bool there, ok;
	struct stat st;
	mode_t mask;

	mask = umask(0);
	umask(mask);
	there = !stat(path, &st);
	if (there && !S_ISREG(st.st_mode))
		ok = write_open(open(path, O_WRONLY | O_CLOEXEC), name, t);
	else
		ok = replace_file(path, there ? st.st_mode & 07777 : 0666 & ~mask, name, t);
	if (!ok)
		trouble("%s: %s", path, strerror(errno));
	return ok;
}

static bool maskset_save(int argc, char **argv)
{
	bool ok = control_has("masksets", argv[0]);
	struct table t;

	if (!ok)
		return false;
	table_read(&t, argv[0]);
	if (exit_code())
		ok = false;
	else if (argc > 1 && strcmp(argv[1], "-"))
		ok = save_file(argv[1], argv[0], &t);
	else
		write_definition(stdout, argv[0], &t);
	table_free(&t);
	return ok;
}

/* What a file says: its lines without comments and blanks, and where they stand. */
struct definition {
	const char *path;
	struct strings lines;
	struct strings places;
	const char *name;
	const char *from;
	char *from_place;
};

/* Without blanks at both ends and around the first "=", in place. */
static char *trim(char *s)
{
	char *sign, *end, *value;

	s += strspn(s, " \t");
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	sign = strchr(s, '=');
	if (!sign)
		return s;
	value = sign + 1 + strspn(sign + 1, " \t");
	end = sign;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	memmove(end + 1, value, strlen(value) + 1);
	*end = '=';
	return s;
}

static void read_lines(struct definition *d, char *text)
{
	unsigned int number = 0;
	char *line, *next;

	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		number++;
		line[strcspn(line, "#")] = 0;
		line = trim(line);
		if (!strncmp(line, "maskset=", 8)) {
			d->name = line + 8;
		} else if (!strncmp(line, "from=", 5)) {
			d->from = line + 5;
			free(d->from_place);
			d->from_place = xasprintf("%s:%u: ", d->path, number);
		} else if (*line) {
			strings_add(&d->lines, xstrdup(line));
			strings_add(&d->places, xasprintf("%s:%u: ", d->path, number));
		}
	}
}

static bool exists(const char *name)
{
	struct strings names = { };
	bool has;

	control_dirs(&names, "masksets");
	has = strings_have(&names, name);
	strings_free(&names);
	return has;
}

static bool load_definition(const struct definition *d)
{
	struct table t;
	bool ok = true;
	size_t i;

	if (!control_has_at(d->from_place ? d->from_place : "", "masksets", d->from))
		return false;
	table_read(&t, d->from);
	for (i = 0; ok && i < d->lines.nr; i++)
		ok = table_take(&t, d->lines.at[i], d->places.at[i]);
	/* All that the definition does not name is as in what it is made from. */
	for (i = 0; i < t.events.nr; i++)
		t.said[i] = true;
	t.syscalls_said = t.syscalls;
	if (ok && exists(d->name))
		ok = table_write(&t, d->name);
	else if (ok)
		ok = table_make(&t, d->name, d->from);
	table_free(&t);
	return ok;
}

static bool maskset_load(int argc, char **argv)
{
	bool input = !strcmp(argv[0], "-");
	struct definition d = { .path = input ? "standard input" : argv[0], .from = "none" };
	size_t len;
	/* It can be a pipe. */
	int fd = input ? dup(STDIN_FILENO) : open(argv[0], O_RDONLY | O_CLOEXEC);
	char *text = read_whole(fd, DEFINITION_MAX, &len);
	bool ok = text;

	if (!text) {
		trouble("%s: %s", d.path, strerror(errno));
		return false;
	}
	if (strlen(text) < len) {
		trouble("%s: is no text: it has a NUL", d.path);
		free(text);
		return false;
	}
	read_lines(&d, text);
	if (argc > 1)
		d.name = argv[1];
	if (!d.name) {
		trouble("%s: names no maskset; put a line maskset=NAME there, or a name after it",
			d.path);
		ok = false;
	}
	ok = ok && load_definition(&d);
	strings_free(&d.lines);
	strings_free(&d.places);
	free(d.from_place);
	free(text);
	return ok;
}

static const struct verb verb[] = {
	{ "list", maskset_list, 0, 0, NULL },
	{ "switch", maskset_switch, 1, 1, NULL },
	{ "create", maskset_create, 1, -1, create_ok },
	{ "set", maskset_set, 2, -1, set_ok },
	{ "show", maskset_show, 0, 1, NULL },
	{ "remove", maskset_remove, 1, -1, NULL },
	{ "arm", maskset_arm, 1, 1, NULL },
	{ "disarm", maskset_disarm, 1, 1, NULL },
	{ "save", maskset_save, 1, 2, NULL },
	{ "load", maskset_load, 1, 2, NULL },
	{ }
};

int cmd_maskset(int argc, char **argv)
{
	static const struct verbs verbs = { "maskset", help, "masksets", verb };

	return verbs_run(&verbs, argc, argv);
}
