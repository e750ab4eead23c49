// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "text.h"

/* Longest "TID-NAME": 10 digits, the dash, the name in escapes. */
#define LABEL_MAX	(11 + LKST_COMM_SIZE * ESCAPE_MAX)
/* Threads that have names: 36 MiB of them. */
#define THREADS_MAX	1048576u
/* More than a line of .tasks takes. */
#define LINE_SIZE	256
/* Labels that are at hand. */
#define LABELS		256u

struct thread {
	u32 tid;
	u32 tgid;
	bool alive;
	bool gone;		/* it has no name: it was gone when /proc was asked */
	u8 size;		/* of @comm */
	char comm[LKST_COMM_SIZE];
};

/* What is shown of a thread. */
struct label {
	u32 tid;
	u8 len;			/* 0 if it is to be made */
	u8 columns;		/* that it takes */
	char text[LABEL_MAX];
};

struct names {
	struct thread *thread;
	size_t nr;
	size_t room;
	u32 *slot;		/* index into @thread, plus one */
	u32 slots;		/* a power of two */
	bool ask_proc;
	bool full;		/* which was said */
	char idle[32];
	struct label label[LABELS];	/* by the last digits of @tid */
};

struct names *names_new(void)
{
	struct names *n = xcalloc(1, sizeof(*n));

	n->slots = 256;
	n->slot = xcalloc(n->slots, sizeof(*n->slot));
	return n;
}

void names_free(struct names *n)
{
	free(n->thread);
	free(n->slot);
	free(n);
}

static u32 *find_slot(const struct names *n, u32 tid)
{
	u32 at = hash_slot(tid, n->slots);

	for (; n->slot[at]; at = (at + 1) & (n->slots - 1))
		if (n->thread[n->slot[at] - 1].tid == tid)
			break;
	return &n->slot[at];
}

static void rehash(struct names *n)
{
	size_t i;

	free(n->slot);
	n->slots *= 2;
	n->slot = xcalloc(n->slots, sizeof(*n->slot));
	for (i = 0; i < n->nr; i++)
		*find_slot(n, n->thread[i].tid) = i + 1;
}

static struct thread *add_thread(struct names *n, u32 tid)
{
	u32 *slot = find_slot(n, tid);

	if (*slot)
		return &n->thread[*slot - 1];
	if (n->nr == THREADS_MAX) {
		if (!n->full)
			trouble("more than %u threads; the rest have no names",
				THREADS_MAX);
		n->full = true;
		return NULL;
	}
	if (n->nr * 2 >= n->slots) {
		rehash(n);
		slot = find_slot(n, tid);
	}
	n->thread = grow(n->thread, n->nr, &n->room, sizeof(*n->thread));
	memset(&n->thread[n->nr], 0, sizeof(*n->thread));
	n->thread[n->nr].tid = tid;
	*slot = ++n->nr;
	return &n->thread[n->nr - 1];
}

static void set_thread(struct names *n, struct thread *t, u32 tgid, const void *comm,
		       size_t len)
{
	struct label *label = &n->label[t->tid % LABELS];

	len = strnlen(comm, min_t(size_t, len, LKST_COMM_SIZE - 1));
	memcpy(t->comm, comm, len);
	t->size = len;
	t->gone = false;
	if (tgid)
		t->tgid = tgid;
	if (label->tid == t->tid)
		label->len = 0;
}

void names_set(struct names *n, u32 tid, u32 tgid, const void *comm, size_t len)
{
	struct thread *t = add_thread(n, tid);

	if (t)
		set_thread(n, t, tgid, comm, len);
}

void names_add_task(struct names *n, const struct lkst_task *task)
{
	struct thread *t;

	if (task->tid <= 0)
		return;
	t = add_thread(n, task->tid);
	if (!t || (t->alive && !task->alive))
		return;
	t->alive = task->alive;
	set_thread(n, t, task->tgid, task->comm, sizeof(task->comm));
}

bool names_know(const struct names *n, u32 tid)
{
	u32 slot = *find_slot(n, tid);

	return slot && !n->thread[slot - 1].gone;
}

/* The number after "Tgid:" in /proc/TID/status; 0 if there is none. */
static u32 ask_tgid(u32 tid)
{
	char *path = xasprintf("%s/proc/%u/status", sysroot(), tid);
	unsigned int tgid = 0;
	size_t len;
	char *text = read_file(path, 4096, &len), *at;

	at = text ? strstr(text, "\nTgid:") : NULL;
	if (at && sscanf(at, " Tgid: %u", &tgid) != 1)
		tgid = 0;
	free(text);
	free(path);
	return tgid;
}

static void ask_proc(struct names *n, u32 tid)
{
	char *path = xasprintf("%s/proc/%u/comm", sysroot(), tid);
	struct thread *t;
	char *comm;
	size_t len = 0;

	comm = read_file(path, 4096, &len);
	if (len && comm[len - 1] == '\n')
		len--;
	if (comm) {
		names_set(n, tid, ask_tgid(tid), comm, len);
	} else {
		t = add_thread(n, tid);
		if (t)
			t->gone = true;
	}
	free(comm);
	free(path);
}

static struct thread *find_thread(struct names *n, u32 tid)
{
	u32 slot = *find_slot(n, tid);

	if (!slot && n->ask_proc && !n->full) {
		ask_proc(n, tid);
		slot = *find_slot(n, tid);
	}
	return slot && !n->thread[slot - 1].gone ? &n->thread[slot - 1] : NULL;
}

static void tell_thread(const struct thread *t, struct who *who)
{
	who->tid = t->tid;
	who->tgid = t->tgid;
	who->len = t->size;
	memcpy(who->comm, t->comm, t->size);
}

bool names_find(struct names *n, u32 tid, u32 cpu, struct who *who)
{
	struct thread *t;

	memset(who, 0, sizeof(*who));
	who->tid = tid;
	if (tid == LKST_TID_UNKNOWN)
		return false;
	if (!tid) {
		who->len = snprintf(who->comm, sizeof(who->comm), "swapper/%u", cpu);
		who->len = min_t(u32, who->len, sizeof(who->comm) - 1);
		return true;
	}
	t = find_thread(n, tid);
	if (t)
		tell_thread(t, who);
	return t;
}

/* Characters of UTF-8; not all of them take one column, but nearly. */
static u8 count_columns(const char *s, size_t n)
{
	u8 columns = 0;

	while (n--)
		columns += (*s++ & 0xc0) != 0x80;
	return columns;
}

static void make_label(struct label *l, const struct thread *t)
{
	struct text label = { .buf = l->text, .room = sizeof(l->text) };

	text_u64(&label, t->tid);
	text_char(&label, '-');
	label.len += text_escape(l->text + label.len, t->comm, t->size, "");
	l->tid = t->tid;
	l->len = label.len;
	l->columns = count_columns(l->text, l->len);
}

const char *names_label(struct names *n, u32 tid, u32 cpu, size_t *len,
			size_t *columns)
{
	struct text idle = { .buf = n->idle, .room = sizeof(n->idle) };
	struct label *l;
	struct thread *t;

	if (!tid) {
		text_string(&idle, "0-swapper/");
		text_u64(&idle, cpu);
		*len = *columns = idle.len;
		return n->idle;
	}
	if (tid == LKST_TID_UNKNOWN) {
		*len = *columns = sprintf(n->idle, "?");
		return n->idle;
	}
	l = &n->label[tid % LABELS];
	if (l->tid != tid || !l->len) {
		t = find_thread(n, tid);
		if (!t) {
			*len = *columns = sprintf(n->idle, "%u-?", tid);
			return n->idle;
		}
		make_label(l, t);
	}
	*len = l->len;
	*columns = l->columns;
	return l->text;
}

static int by_tid(const void *a, const void *b)
{
	const struct thread *const *x = a, *const *y = b;

	return (*x)->tid < (*y)->tid ? -1 : (*x)->tid > (*y)->tid;
}

/* Those that have a name. */
static const struct thread **in_order(const struct names *n, size_t *nr)
{
	const struct thread **order = xcalloc(n->nr, sizeof(*order));
	size_t i;

	*nr = 0;
	for (i = 0; i < n->nr; i++)
		if (!n->thread[i].gone)
			order[(*nr)++] = &n->thread[i];
	sort(order, *nr, sizeof(*order), by_tid);
	return order;
}

void names_all(struct names *n, void (*each)(const struct who *who, void *arg),
	       void *arg)
{
	size_t nr, i;
	const struct thread **order = in_order(n, &nr);
	struct who who;

	for (i = 0; i < nr; i++) {
		memset(&who, 0, sizeof(who));
		tell_thread(order[i], &who);
		each(&who, arg);
	}
	free(order);
}

void names_write(const struct names *n, FILE *f)
{
	size_t nr, i, len;
	const struct thread **order = in_order(n, &nr);
	char comm[LKST_COMM_SIZE * ESCAPE_MAX];

	for (i = 0; i < nr; i++) {
		len = text_escape(comm, order[i]->comm, order[i]->size, "");
		fprintf(f, "%u %u %.*s\n", order[i]->tid, order[i]->tgid, (int)len, comm);
	}
	free(order);
}

void names_from_file(struct names *n, const char *path)
{
	int fd = open_file(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned int tid, tgid;
	char line[LINE_SIZE];
	bool whole, begun = true;
	size_t len;
	int at;

	if (!f && errno != ENOENT)
		trouble("%s: %s", path, strerror(errno));
	for (; f && fgets(line, sizeof(line), f); begun = whole) {
		len = strcspn(line, "\n");
		whole = line[len];
		line[len] = 0;
		/* What is longer than a name can be is no line of its own. */
		if (!begun || sscanf(line, "%u %u%n", &tid, &tgid, &at) != 2 || line[at] != ' ')
			continue;
		at++;
		names_set(n, tid, tgid, line + at, text_unescape(line + at, len - at));
	}
	if (f)
		fclose(f);
}

void names_ask_proc(struct names *n)
{
	n->ask_proc = true;
}
