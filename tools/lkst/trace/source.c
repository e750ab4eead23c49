// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "lkst.h"
#include "outdir.h"
#include "source.h"
#include "symbols.h"

#define METADATA_MAX	(4u << 20)
#define SYMBOLS_TEXT_MAX	(64u << 20)
/* Where a packet can begin in a file with a damaged one. */
#define PACKET_STEP	LKST_PACKET_MIN

/* Packets in a file, or in one of /proc/lkst and in the one of the open packet. */
struct file_source {
	struct packet_source s;
	char *path;
	int fd;
	u8 uuid[LKST_UUID_SIZE];	/* of its packets */
	const struct strings *parts;	/* directories of a trace in parts, or NULL */
	size_t part;		/* the next of them */
	int *ahead;		/* their files, where those are open already; or -1 */
	u8 *buf;
	size_t start;		/* of what was read and not used yet */
	size_t len;
	bool lost_track;	/* said that there was no packet where one should be */
	u64 after;
	u64 seq;		/* above those of all packets read */
	u32 words;		/* of the last one of them */
	struct lkst_packet *open;	/* copy of the open packet, last of all */
	/* When following, of the packet given out last, which is @seq: */
	bool begun;		/* there is one */
	bool partly;		/* it was open then */
	bool replaced;		/* other rings are in the place of these */
	u32 given;		/* words of it that were given out */
	u64 lost;		/* what it said then */
};

static struct file_source *to_file(struct packet_source *s)
{
	return (struct file_source *)((char *)s - offsetof(struct file_source, s));
}

/* Have this many bytes at hand, if the file has them. */
static bool fill(struct file_source *f, size_t want)
{
	ssize_t n;

	if (f->start + want > LKST_PACKET_MAX) {
		memmove(f->buf, f->buf + f->start, f->len);
		f->start = 0;
	}
	while (f->len < want) {
		n = read(f->fd, f->buf + f->start + f->len,
			 LKST_PACKET_MAX - f->start - f->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			trouble("%s: %s", f->path, strerror(errno));
		if (n <= 0)
			return false;
		f->len += n;
	}
	return true;
}

static void drop(struct file_source *f, size_t n)
{
	f->start += n;
	f->len -= n;
	if (!f->len)
		f->start = 0;
}

/* Go to where the file has bytes: an archive can have members that are nearly all hole. */
static void skip_hole(struct file_source *f)
{
	off_t at = lseek(f->fd, 0, SEEK_CUR), data;

	data = at < 0 ? at : lseek(f->fd, at, SEEK_DATA);
	if (data >= 0)
		lseek(f->fd, at + (data - at) / PACKET_STEP * PACKET_STEP, SEEK_SET);
	else if (at >= 0 && errno == ENXIO)
		lseek(f->fd, 0, SEEK_END);
}

/* The next thing in the file that begins and ends as a packet does. */
static struct lkst_packet *next_in_file(struct file_source *f)
{
	struct lkst_packet *p;
	u32 size;

	while (fill(f, sizeof(*p))) {
		p = (struct lkst_packet *)(f->buf + f->start);
		size = p->magic == LKST_PACKET_MAGIC ? packet_bytes(p) : 0;
		if (size && fill(f, size))
			return (struct lkst_packet *)(f->buf + f->start);
		if (size)
			break;
		if (!f->lost_track)
			trouble("%s: there is no packet where one should be; looking for the next",
				f->path);
		f->lost_track = true;
		if (!fill(f, PACKET_STEP))
			break;
		drop(f, PACKET_STEP);
		if (!f->len)
			skip_hole(f);
	}
	if (f->len)
		trouble("%s: is cut off in a packet", f->path);
	f->len = 0;
	return NULL;
}

static char *part_path(const struct file_source *f, size_t part)
{
	return xasprintf("%s/cpu%u", f->parts->at[part], f->s.cpu);
}

/* A part need not have all CPUs. */
static int open_part(const char *path)
{
	int fd = open_file(path);

	if (fd < 0 && errno != ENOENT)
		trouble("%s: %s", path, strerror(errno));
	return fd;
}

/* Go on with the next part that has a file of this CPU. */
static bool next_part(struct file_source *f)
{
	char *path;
	int fd;

	for (; f->parts && f->part < f->parts->nr; f->part++) {
		path = part_path(f, f->part);
		fd = f->ahead ? f->ahead[f->part] : open_part(path);
		if (fd >= 0) {
			if (f->fd >= 0)
				close(f->fd);
			free(f->path);
			f->path = path;
			f->fd = fd;
			f->part++;
			return true;
		}
		free(path);
	}
	return false;
}

/* Open what would be gone when its turn comes. */
static void open_ahead(struct file_source *f)
{
	char *path;
	size_t i;

	f->ahead = xcalloc(f->parts->nr, sizeof(*f->ahead));
	for (i = 0; i < f->parts->nr; i++) {
		path = part_path(f, i);
		f->ahead[i] = open_part(path);
		free(path);
	}
}

static struct lkst_packet *next_raw(struct file_source *f)
{
	struct lkst_packet *p;

	do
		p = next_in_file(f);
	while (!p && next_part(f));
	return p;
}

static struct packet_facts facts_of(const struct file_source *f, const struct lkst_packet *p)
{
	return (struct packet_facts){
		.uuid = f->uuid,
		.bytes = packet_bytes(p),
		.after = f->after,
	};
}

static void took_copy(struct file_source *f, const struct lkst_packet *p)
{
	f->after = p->end;
	f->seq = p->seq + 1;
	f->words = p->content_size / 64;
}

static bool finish_copy(struct file_source *f, struct lkst_packet *p)
{
	struct packet_facts facts = facts_of(f, p);
	struct packet_result res;
	bool ok = packet_finish(p, &facts, &res);

	if (!ok || res.cut)
		trouble("%s: packet %llu: %s; %s", f->path, p->seq, res.why,
			ok ? "the rest of it is dropped" : "dropped");
	if (ok)
		took_copy(f, p);
	return ok;
}

/* Most packets that were closed are sound, and need not be looked through twice. */
static bool take_copy(struct file_source *f, struct lkst_packet *p)
{
	struct packet_facts facts = facts_of(f, p);

	f->s.unchecked = packet_seems_sound(p, &facts);
	if (!f->s.unchecked)
		return finish_copy(f, p);
	took_copy(f, p);
	return true;
}

/* A packet that was copied while it was open came again: what more is in it? */
static bool take_again(struct file_source *f, struct lkst_packet *p)
{
	u32 had = f->words;

	if (p->content_size / 64 <= had)
		return false;
	f->after = p->begin;
	f->s.skip = had;
	return take_copy(f, p) && f->words > had;
}

static void file_check(struct packet_source *s)
{
	struct file_source *f = to_file(s);

	s->unchecked = false;
	f->after = s->packet->begin;
	finish_copy(f, s->packet);
}

static bool file_next(struct packet_source *s)
{
	struct file_source *f = to_file(s);
	struct lkst_packet *p;

	if (s->packet && s->packet != f->open)
		drop(f, packet_bytes(s->packet));
	s->packet = NULL;
	while (!s->packet && (p = next_raw(f))) {
		/* One that was closed after the open one was copied. */
		if (f->open && p->seq >= f->open->seq)
			break;
		s->skip = 0;
		if (p->seq + 1 == f->seq ? take_again(f, p) : take_copy(f, p))
			s->packet = p;
		else
			drop(f, packet_bytes(p));
	}
	if (!s->packet && f->open) {
		s->skip = 0;
		/* The file's end was reached twice: there is no more. */
		if (f->open->seq >= f->seq && take_copy(f, f->open))
			s->packet = f->open;
		close(f->fd);
		f->fd = -1;
	}
	return s->packet;
}

/*
 * The end of a CPU's closed packets was reached for the first time: copy the
 * open one, then look again for those that were closed meanwhile.
 */
static bool live_next(struct packet_source *s)
{
	struct file_source *f = to_file(s), open = { };
	struct lkst_packet *p;

	if (f->fd < 0)
		return false;
	if (f->open || file_next(s))
		return f->open ? file_next(s) : true;
	open.path = xasprintf("%s.open", f->path);
	open.fd = openat(AT_FDCWD, open.path, O_RDONLY | O_CLOEXEC);
	if (open.fd < 0) {
		free(open.path);
		return false;
	}
	open.buf = xcalloc(LKST_PACKET_MAX, 1);
	p = next_raw(&open);
	close(open.fd);
	free(open.path);
	if (p) {
		f->open = (struct lkst_packet *)open.buf;
		return file_next(s);
	}
	free(open.buf);
	return false;
}

/*
 * An open packet is given out piece by piece, as it grows: up to the first record
 * that is not finished yet, as that has to be seen once it is.
 */
static void cut_unfinished(struct lkst_packet *p)
{
	const u64 *word = (const u64 *)p, *at = word + LKST_PACKET_WORDS, *next;
	const u64 *end = word + p->content_size / 64;
	struct record r;

	while ((next = record_parse(at, end, 0, &r)) && r.id != LKST_ID_UNFINISHED)
		at = next;
	p->content_size = (at - word) * 64;
}

/*
 * Give out a packet, but for what was given out of it before. Also one that is not open
 * can come again with more in it: the open one of a buffer that was not current then.
 */
static bool follow_give(struct file_source *f, struct lkst_packet *p, bool open)
{
	bool again = f->begun && p->seq == f->seq, partly = f->partly;
	u32 had = again ? f->given : 0;

	if (!finish_copy(f, p))
		return false;
	if (open)
		cut_unfinished(p);
	f->after = p->begin;
	f->seq = p->seq;
	f->given = p->content_size / 64;
	f->partly = open;
	if (again && f->given <= had && p->discarded == f->lost)
		return false;
	f->begun = true;
	f->lost = p->discarded;
	f->s.skip = had;
	f->s.torn = partly && !again;
	f->s.open = open;
	f->s.packet = p;
	return true;
}

/* Is it a packet of these rings, not of those that took their place? */
static bool is_ours(const struct file_source *f, const struct lkst_packet *p)
{
	return !memcmp(p->uuid, f->uuid, sizeof(f->uuid));
}

static struct lkst_packet *follow_closed(struct file_source *f)
{
	struct lkst_packet *p;

	while ((p = next_raw(f)) && (!is_ours(f, p) || (f->begun && p->seq < f->seq))) {
		f->replaced |= !is_ours(f, p);
		drop(f, packet_bytes(p));
	}
	return p;
}

/* Copy the open packet. */
static struct lkst_packet *follow_open(struct file_source *f)
{
	struct file_source open = { };
	struct lkst_packet *p = NULL;

	open.path = xasprintf("%s.open", f->path);
	open.fd = openat(AT_FDCWD, open.path, O_RDONLY | O_CLOEXEC);
	if (open.fd >= 0) {
		if (!f->open)
			f->open = xcalloc(LKST_PACKET_MAX, 1);
		open.buf = (u8 *)f->open;
		p = next_raw(&open);
		close(open.fd);
	}
	free(open.path);
	return p && is_ours(f, p) ? p : NULL;
}

/* Of what there is by now the next: a closed packet, or more of the open one. */
static bool follow_next(struct packet_source *s)
{
	struct file_source *f = to_file(s);
	struct lkst_packet *p, *open = NULL;

	if (s->packet && s->packet != f->open)
		drop(f, packet_bytes(s->packet));
	s->packet = NULL;
	for (;;) {
		p = follow_closed(f);
		if (p && follow_give(f, p, false))
			return true;
		if (p) {
			drop(f, packet_bytes(p));
			continue;
		}
		if (open)
			break;
		open = follow_open(f);
		if (!open || (f->begun && open->seq < f->seq))
			return false;
		/* If it is not the next one, others were closed before it. */
		if (f->begun && open->seq == f->seq)
			break;
	}
	/* One of those can have a record that is not finished: it is waited for. */
	if (f->begun && open->seq > f->seq + !f->partly)
		return false;
	return follow_give(f, open, true);
}

/* The rings were replaced, or the buffer is gone. */
static bool follow_over(struct packet_source *s)
{
	struct file_source *f = to_file(s);
	struct pollfd fd = { .fd = f->fd };

	return f->replaced || (poll(&fd, 1, 0) > 0 && fd.revents & POLLHUP);
}

static void file_free(struct packet_source *s)
{
	struct file_source *f = to_file(s);

	if (f->fd >= 0)
		close(f->fd);
	for (; f->ahead && f->part < f->parts->nr; f->part++)
		if (f->ahead[f->part] >= 0)
			close(f->ahead[f->part]);
	free(f->ahead);
	free(f->open);
	free(f->buf);
	free(f->path);
	free(f);
}

static void add_source(struct trace *t, struct packet_source *s)
{
	t->source = grow(t->source, t->nr, &t->room, sizeof(*t->source));
	t->source[t->nr++] = s;
}

static void add_file(struct trace *t, const char *dir, u32 cpu, bool follow)
{
	struct file_source *f = xcalloc(1, sizeof(*f));

	f->s.next = follow ? follow_next : live_next;
	f->s.check = file_check;
	f->s.over = follow ? follow_over : NULL;
	f->s.free = file_free;
	f->s.cpu = cpu;
	f->s.since = t->since;
	memcpy(f->uuid, t->uuid, sizeof(f->uuid));
	f->path = xasprintf("%s/cpu%u", dir, cpu);
	f->fd = open_file(f->path);
	if (f->fd < 0) {
		trouble("%s: %s", f->path, strerror(errno));
		file_free(&f->s);
		return;
	}
	f->buf = xcalloc(LKST_PACKET_MAX, 1);
	add_source(t, &f->s);
}

static bool read_metadata(struct trace *t, const char *dir)
{
	char *path = xasprintf("%s/" METADATA_FILE, dir);
	size_t len;
	char *text = read_file(path, METADATA_MAX, &len);

	if (!text)
		trouble("%s: %s", path, strerror(errno));
	else
		t->metadata = metadata_parse(text, path);
	t->text = text;
	free(path);
	return t->metadata;
}

static void read_tasks(struct trace *t, const char *dir)
{
	char *path = xasprintf("%s/" TASKS_FILE, dir);

	names_from_file(t->names, path);
	free(path);
}

/* Is it the name of a file of packets, and of which CPU's? */
static bool is_cpu_file(const char *name, u64 *cpu)
{
	return !strncmp(name, "cpu", 3) && parse_u64(name + 3, cpu) && *cpu < ~0u;
}

static void add_files(struct trace *t, const char *path, const struct trace_options *opt)
{
	struct dirent *e;
	DIR *dir;
	u64 cpu;

	dir = opendir(path);
	if (!dir && errno != ENOENT)
		trouble("%s: %s", path, strerror(errno));
	while (dir && (e = readdir(dir)))
		if (is_cpu_file(e->d_name, &cpu) && opt->wanted(cpu, opt->arg))
			add_file(t, path, cpu, opt->follow);
	if (dir)
		closedir(dir);
}

/* Open the files of one buffer. */
static bool open_files(struct trace *t, const char *path,
		       const struct trace_options *opt)
{
	if (opt->buffer && access(path, F_OK)) {
		trouble("-b, --buffer: %s: %s", path, strerror(errno));
		return false;
	}
	if (!read_metadata(t, path))
		return false;
	read_tasks(t, path);
	t->symbols_file = xasprintf("%s/" SYMBOLS_FILE, path);
	memcpy(t->uuid, t->metadata->uuid, sizeof(t->uuid));
	add_files(t, path, opt);
	return true;
}

/* The directories below @path that have metadata, as a list of names. */
static char *list_buffers(const char *path, size_t *nr)
{
	DIR *dir = opendir(path);
	char *list = xstrdup(""), *old, *file;
	struct dirent *e;

	*nr = 0;
	while (dir && (e = readdir(dir))) {
		file = xasprintf("%s/%s/" METADATA_FILE, path, e->d_name);
		if (e->d_name[0] != '.' && !access(file, F_OK)) {
			old = list;
			list = xasprintf("%s%s%s", old, *old ? " " : "", e->d_name);
			free(old);
			++*nr;
		}
		free(file);
	}
	if (dir)
		closedir(dir);
	return list;
}

static bool has_packets(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	bool has = false;
	u64 cpu;

	while (dir && !has && (e = readdir(dir)))
		has = is_cpu_file(e->d_name, &cpu);
	if (dir)
		closedir(dir);
	return has;
}

static void say_no_buffer(const char *path, const char *buffers)
{
	if (*buffers)
		trouble("%s: choose one of its buffers with -b: %s", path, buffers);
	else if (has_packets(path))
		trouble("%s/" METADATA_FILE ": is missing; the packets beside it need it", path);
	else
		trouble("%s: holds no trace", path);
}

/* Which buffer of a directory of buffers is meant. */
static char *choose_buffer(const char *path)
{
	char *file = xasprintf("%s/" CURRENT_FILE, path);
	size_t len, nr;
	char *name = read_file(file, NAME_MAX, &len), *list;

	if (!name && errno != ENOENT)
		trouble("%s: %s", file, strerror(errno));
	list = list_buffers(path, &nr);
	if (name) {
		name[strcspn(name, "\n")] = 0;
		/* It leads nowhere else. */
		if (*name == '.' || strchr(name, '/')) {
			trouble("%s: \"%s\" is not the name of a buffer", file, name);
			free(name);
			name = NULL;
		}
	}
	free(file);
	if (name) {
		if (nr > 1)
			note("buffer %s of these: %s (-b chooses)", name, list);
		free(list);
	} else if (nr == 1) {
		name = list;
	} else {
		say_no_buffer(path, list);
		free(list);
	}
	return name;
}

/* A million parts and more are numbered too. */
static int by_number(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/*
 * The parts that lkst record made in a directory, in order: the directory itself first, if
 * the trace begins there.
 */
static void list_parts(struct strings *parts, const char *path, bool begins)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	if (begins)
		strings_add(parts, xstrdup(path));
	while (dir && (e = readdir(dir)))
		if (is_part(e->d_name))
			strings_add(parts, xasprintf("%s/%s", path, e->d_name));
	if (dir)
		closedir(dir);
	sort(parts->at, parts->nr, sizeof(*parts->at), by_number);
}

/* Is a part of the same incarnation of a buffer as the trace? */
static bool part_fits(const struct trace *t, const char *dir)
{
	struct trace other = { };
	bool fits = read_metadata(&other, dir) &&
		!memcmp(other.metadata->uuid, t->metadata->uuid, LKST_UUID_SIZE);

	metadata_free(other.metadata);
	free(other.text);
	return fits;
}

/* Leave out parts of other buffers. */
static void choose_parts(struct trace *t)
{
	struct strings *parts = &t->parts;
	size_t i, kept = 0;

	for (i = 0; i < parts->nr; i++) {
		if (part_fits(t, parts->at[i])) {
			parts->at[kept++] = parts->at[i];
			continue;
		}
		note("%s: is of another buffer, and left out (-b chooses it)",
		     parts->at[i]);
		free(parts->at[i]);
	}
	parts->nr = kept;
}

static bool has_cpu(const struct trace *t, u32 cpu)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->source[i]->cpu == cpu)
			return true;
	return false;
}

static void add_parts(struct trace *t, u32 cpu)
{
	struct file_source *f = xcalloc(1, sizeof(*f));

	f->s.next = live_next;
	f->s.check = file_check;
	f->s.free = file_free;
	f->s.cpu = cpu;
	memcpy(f->uuid, t->metadata->uuid, sizeof(f->uuid));
	f->parts = &t->parts;
	f->fd = -1;
	f->buf = xcalloc(LKST_PACKET_MAX, 1);
	if (t->unpacked)
		open_ahead(f);
	if (next_part(f))
		add_source(t, &f->s);
	else
		file_free(&f->s);
}

/* Open one of the parts, and the others that are of the same buffer. */
static bool open_parts(struct trace *t, const char *part, const struct trace_options *opt)
{
	struct dirent *e;
	DIR *dir;
	size_t i;
	u64 cpu;

	if (!read_metadata(t, part))
		return false;
	t->symbols_file = xasprintf("%s/" SYMBOLS_FILE, part);
	choose_parts(t);
	for (i = 0; i < t->parts.nr; i++) {
		read_tasks(t, t->parts.at[i]);
		dir = opendir(t->parts.at[i]);
		while (dir && (e = readdir(dir)))
			if (is_cpu_file(e->d_name, &cpu) &&
			    opt->wanted(cpu, opt->arg) && !has_cpu(t, cpu))
				add_parts(t, cpu);
		if (dir)
			closedir(dir);
	}
	return true;
}

static bool open_dir(struct trace *t, const char *path,
		     const struct trace_options *opt)
{
	char *file, *name = NULL, *below;
	bool ok, single;

	if (access(path, R_OK | X_OK)) {
		trouble("%s: %s", path, strerror(errno));
		return false;
	}
	file = xasprintf("%s/" METADATA_FILE, path);
	single = !access(file, F_OK);
	free(file);
	if (!opt->buffer)
		list_parts(&t->parts, path, single);
	if (t->parts.nr > single)
		return open_parts(t, single ? path : t->parts.at[t->parts.nr - 1], opt);
	if (single && !opt->buffer)
		return open_files(t, path, opt);
	name = opt->buffer ? xstrdup(opt->buffer) : choose_buffer(path);
	if (!name)
		return false;
	below = xasprintf("%s/%s", path, name);
	ok = open_files(t, below, opt);
	free(below);
	free(name);
	return ok;
}

bool trace_has_rings(const struct trace *t, const u8 *uuid)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (!memcmp(to_file(t->source[i])->uuid, uuid, LKST_UUID_SIZE))
			return true;
	return false;
}

void trace_add_rings(struct trace *t)
{
	char *path = xasprintf("%s/proc/lkst/buffers/%s", sysroot(), t->buffer);

	add_files(t, path, t->opt);
	free(path);
}

bool is_discard(const char *buffer)
{
	char *path = xasprintf("%s/sys/kernel/lkst/buffers/%s/mode", sysroot(), buffer);
	size_t len;
	char *mode = read_file(path, 64, &len);
	bool is = mode && !strncmp(mode, "discard", 7);

	free(mode);
	free(path);
	return is;
}

static bool open_live(struct trace *t, const struct trace_options *opt)
{
	char *path = xasprintf("%s/sys/kernel/lkst/buffers/current", sysroot());
	size_t len = 0;
	char *name = opt->buffer ? xstrdup(opt->buffer) :
		read_file(path, LKST_NAME_SIZE + 1, &len);
	bool ok = false;

	if (!name) {
		control_failed(path);
	} else {
		free(path);
		name[strcspn(name, "\n")] = 0;
		path = xasprintf("%s/proc/lkst/buffers/%s", sysroot(), name);
		/* What else is wrong there is said of the file. */
		if (access(path, R_OK | X_OK) && errno == EACCES)
			control_failed(path);
		else
			ok = open_files(t, path, opt);
		t->consumed = is_discard(name);
		t->past_text = control_past_text(name);
		if (!t->past_text)
			names_ask_proc(t->names);
		free(t->symbols_file);
		t->symbols_file = xasprintf("%s/proc/kallsyms", sysroot());
	}
	t->opt = opt;
	t->buffer = name;
	free(path);
	return ok;
}

/* Packets in a dump. */
struct dump_source {
	struct packet_source s;
	struct dump_reader r;
};

static struct dump_source *to_dump(struct packet_source *s)
{
	return (struct dump_source *)((char *)s - offsetof(struct dump_source, s));
}

static bool dump_next(struct packet_source *s)
{
	struct dump_source *d = to_dump(s);

	if (!dump_reader_next(&d->r))
		return false;
	s->packet = d->r.copy;
	return true;
}

static void dump_free(struct packet_source *s)
{
	dump_reader_free(&to_dump(s)->r);
	free(to_dump(s));
}

/* Packets of a dump are read once more; it stays open, as a pipe cannot be opened again. */
void trace_rewind(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		struct dump_reader *r = &to_dump(t->source[i])->r;

		dump_reader_free(r);
		dump_reader_init(r, r->d, r->b, r->c, r->m);
	}
}

static struct dump_buffer *choose_in_dump(struct dump *d, const char *name)
{
	struct dump_buffer *b = NULL;
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (name ? !strcmp(d->buffer[i]->name, name) :
		    d->buffer[i]->is_current || d->nr == 1)
			b = d->buffer[i];
	if (b && (name || d->nr == 1))
		return b;
	if (b)
		note("buffer %s of these (-b chooses):", b->name);
	else if (name)
		trouble("-b, --buffer: the dump has no buffer %s, but these:", name);
	else
		trouble("choose one of the dump's buffers with -b:");
	for (i = 0; i < d->nr; i++)
		note("  %s", d->buffer[i]->name);
	return b;
}

static bool open_dump(struct trace *t, const char *path,
		      const struct trace_options *opt)
{
	struct dump_source *s;
	struct dump_buffer *b;
	char *text = NULL;
	size_t i;

	t->dump = dump_open(path, &opt->dump);
	b = t->dump ? choose_in_dump(t->dump, opt->buffer) : NULL;
	if (b)
		text = dump_metadata(t->dump, b, &t->metadata);
	if (b && !text)
		trouble("buffer %s: has no metadata; its packets cannot be decoded",
			b->name);
	t->text = text;
	if (!t->metadata)
		return false;
	dump_add_names(t->dump, t->names);
	for (i = 0; i < b->nr; i++) {
		if (!opt->wanted(b->cpu[i]->cpu, opt->arg))
			continue;
		s = xcalloc(1, sizeof(*s));
		s->s.next = dump_next;
		s->s.free = dump_free;
		s->s.cpu = b->cpu[i]->cpu;
		dump_reader_init(&s->r, t->dump, b, b->cpu[i], t->metadata);
		add_source(t, &s->s);
	}
	return true;
}

/* An archive is unpacked, opened, and what was unpacked is removed again. */
static bool open_archive(struct trace *t, const char *path,
			 const struct trace_options *opt)
{
	char *top = archive_unpack(path), *dir;
	bool ok;

	if (!top)
		return false;
	dir = archive_trace(top);
	t->unpacked = true;
	ok = open_dir(t, dir, opt);
	if (ok)
		trace_symbols(t);
	archive_remove(top);
	free(dir);
	free(top);
	return ok;
}

bool source_is_dump(const char *path)
{
	struct stat st;

	return path && (stat(path, &st) || !S_ISDIR(st.st_mode)) &&
	       !is_archive(path);
}

static int by_cpu(const void *a, const void *b)
{
	const struct packet_source *const *x = a, *const *y = b;

	return (*x)->cpu < (*y)->cpu ? -1 : (*x)->cpu > (*y)->cpu;
}

struct trace *trace_open(const char *path, const struct trace_options *opt)
{
	struct trace *t = xcalloc(1, sizeof(*t));
	bool ok;

	t->names = names_new();
	if (!path)
		ok = open_live(t, opt);
	else if (source_is_dump(path))
		ok = open_dump(t, path, opt);
	else if (is_archive(path))
		ok = open_archive(t, path, opt);
	else
		ok = open_dir(t, path, opt);
	if (!ok) {
		trace_close(t);
		return NULL;
	}
	sort(t->source, t->nr, sizeof(*t->source), by_cpu);
	return t;
}

void trace_close(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		t->source[i]->free(t->source[i]);
	free(t->source);
	metadata_free(t->metadata);
	free(t->text);
	names_free(t->names);
	symbols_free(t->symbols);
	free(t->symbols_file);
	free(t->buffer);
	strings_free(&t->parts);
	if (t->dump)
		dump_close(t->dump);
	free(t);
}

static struct symbols *read_symbols(const char *path, u64 past_text)
{
	struct symbols *s = symbols_new();
	size_t len;
	char *text = read_file(path, SYMBOLS_TEXT_MAX, &len);

	if (!text && errno != ENOENT)
		trouble("%s: %s; functions have no names", path, strerror(errno));
	symbols_from_text(s, text);
	if (text && !symbols_address(s, "_stext"))
		note("%s: tells no addresses (see kernel.kptr_restrict); functions have no names",
		     path);
	if (past_text)
		symbols_move(s, past_text);
	symbols_finish(s);
	free(text);
	return s;
}

struct symbols *trace_symbols(struct trace *t)
{
	if (t->dump)
		return dump_symbols(t->dump);
	if (!t->symbols)
		t->symbols = read_symbols(t->symbols_file, t->past_text);
	return t->symbols;
}
