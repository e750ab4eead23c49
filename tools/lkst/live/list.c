// SPDX-License-Identifier: GPL-2.0
/* lkst list: what there is. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "lkst.h"

static const char help[] =
	"Usage: lkst list [-n] [events [PATTERN...] | handlers | masksets | buffers]\n"
	"List what the running kernel's tracer has: all kinds, or one. Events are listed\n"
	"with their fields when they alone are asked for; shell patterns choose some.\n"
	"A star marks what is current.\n"
	"\n"
	"  -n, --names  print names only\n"
	"  -h, --help   show this\n";

static const struct option options[] = {
	{ "names", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* The first line of what is current. */
static char *current_of(const char *dir)
{
	char *name = control_see("%s/current", dir);

	name[strcspn(name, "\n")] = 0;
	return name;
}

static void list_fields(const char *event)
{
	char *fields = control_see("events/%s/fields", event), *line, *rest = fields;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			printf("    %s\n", line);
	free(fields);
}

static bool is_wanted(const char *name, char **patterns)
{
	if (!*patterns)
		return true;
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, name, 0))
			return true;
	return false;
}

/* Patterns that fit none of the names are no use. */
static void check_patterns(const struct strings *names, char **patterns)
{
	size_t i;

	for (; *patterns; patterns++) {
		for (i = 0; i < names->nr; i++)
			if (!fnmatch(*patterns, names->at[i], 0))
				break;
		if (i == names->nr)
			trouble("\"%s\": no such event; `lkst list -n events' lists all",
				*patterns);
	}
}

static void list_events(char **patterns, bool fields)
{
	struct strings events = { };
	size_t i;
	char *text;

	control_events(&events);
	for (i = 0; i < events.nr; i++) {
		if (!is_wanted(events.at[i], patterns))
			continue;
		text = control_see("events/%s/description", events.at[i]);
		printf("%-25s %s\n", events.at[i], text);
		free(text);
		if (fields)
			list_fields(events.at[i]);
	}
	check_patterns(&events, patterns);
	strings_free(&events);
}

static void list_maskset(const char *name, const char *current,
			 const struct strings *events)
{
	char *armed = control_see("masksets/%s/armed", name), *handler;
	size_t i, mapped = 0;

	for (i = 0; i < events->nr; i++) {
		handler = control_see("masksets/%s/%s", name, events->at[i]);
		mapped += !!strcmp(handler, "none");
		free(handler);
	}
	printf("%c %-31s %4zu of %zu events%s\n", strcmp(name, current) ? ' ' : '*', name,
	       mapped, events->nr, *armed == '1' ? ", armed" : "");
	free(armed);
}

void show_masksets(void)
{
	char *current = current_of("masksets"), *enabled = control_see("enabled");
	struct strings names = { }, events = { };
	size_t i;

	control_events(&events);
	control_dirs(&names, "masksets");
	for (i = 0; i < names.nr; i++)
		list_maskset(names.at[i], current, &events);
	if (*enabled == '0')
		printf("recording is stopped: `lkst start' returns to %s\n", current);
	strings_free(&names);
	strings_free(&events);
	free(enabled);
	free(current);
}

static void list_handler(const char *name)
{
	char *type = control_see("handlers/%s/type", name);
	char *count = control_get("handlers/%s/count", name);
	char *fired = control_get("handlers/%s/fired", name);

	if (count)
		printf("  %-31s %-8s hit %llu times\n", name, type, sum_lines(count));
	else if (fired)
		printf("  %-31s %-8s fired %s times\n", name, type, fired);
	else
		printf("  %-31s %s\n", name, type);
	free(fired);
	free(count);
	free(type);
}

void show_handlers(void)
{
	struct strings names = { };
	size_t i;

	control_dirs(&names, "handlers");
	for (i = 0; i < names.nr; i++)
		list_handler(names.at[i]);
	strings_free(&names);
}

static void list_buffer(const char *name, const char *current)
{
	char *size = control_see("buffers/%s/size", name);
	char *packet = control_see("buffers/%s/packet", name);
	char *mode = control_see("buffers/%s/mode", name);
	char *next = control_see("buffers/%s/next", name);

	printf("%c %-31s %s, %s bytes a CPU, packets of %s",
	       strcmp(name, current) ? ' ' : '*', name, mode, size, packet);
	if (strcmp(next, "none"))
		printf(", next is %s", next);
	putchar('\n');
	free(next);
	free(mode);
	free(packet);
	free(size);
}

void show_buffers(void)
{
	char *current = current_of("buffers");
	struct strings names = { };
	size_t i;

	control_dirs(&names, "buffers");
	for (i = 0; i < names.nr; i++)
		list_buffer(names.at[i], current);
	strings_free(&names);
	free(current);
}

static void list_names(const char *dir, char **patterns)
{
	struct strings names = { };
	size_t i;

	if (!strcmp(dir, "events"))
		control_events(&names);
	else
		control_dirs(&names, "%s", dir);
	for (i = 0; i < names.nr; i++)
		if (is_wanted(names.at[i], patterns))
			puts(names.at[i]);
	check_patterns(&names, patterns);
	strings_free(&names);
}

static void list_all(void)
{
	char *none = NULL;

	puts("events");
	list_events(&none, false);
	puts("\nhandlers");
	show_handlers();
	puts("\nmasksets");
	show_masksets();
	puts("\nbuffers");
	show_buffers();
}

static const struct {
	const char *name;
	void (*list)(void);
} kinds[] = {
	{ "events", NULL },
	{ "handlers", show_handlers },
	{ "masksets", show_masksets },
	{ "buffers", show_buffers },
};

static int not_listed(const char *what)
{
	if (strpbrk(what, "/*?"))
		note("list: \"%s\": did you mean `lkst list events %s'?", what, what);
	else
		note("list: \"%s\" is nothing that it lists", what);
	return see_help("list");
}

static int list_kind(char **argv, bool names)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, argv[0]))
			break;
	if (i == ARRAY_SIZE(kinds))
		return not_listed(argv[0]);
	if (i && argv[1])
		return not_listed(argv[1]);
	if (!control_ready())
		return LKST_EXIT_PARTIAL;
	if (names)
		list_names(kinds[i].name, argv + 1);
	else if (i)
		kinds[i].list();
	else
		list_events(argv + 1, true);
	return exit_code();
}

int cmd_list(int argc, char **argv)
{
	bool names = false;
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "nh", options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(help, stdout);
			return LKST_EXIT_OK;
		}
		if (c != 'n')
			return see_help("list");
		names = true;
	}
	if (optind < argc)
		return list_kind(argv + optind, names);
	if (names) {
		note("list: -n, --names is for one kind: events, handlers, masksets or buffers");
		return see_help("list");
	}
	if (!control_ready())
		return LKST_EXIT_PARTIAL;
	list_all();
	return exit_code();
}
