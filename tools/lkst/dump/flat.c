// SPDX-License-Identifier: GPL-2.0
/*
 * Flattened files: what makedumpfile -F and QEMU write to a pipe, in pieces that
 * say where they belong. A later piece takes the place of an earlier one; what no
 * piece fills is zero. The file stays as it is, an index says where what is.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "progress.h"

#define HEADER_SIZE	4096u
#define TYPE_FLAT	1u
#define VERSION_FLAT	1u
/* 24 MiB of index, and up to three times as much while it is put in order. */
#define PIECES_MAX	1000000u

struct flat_header {
	char signature[16];
	u64 type;
	u64 version;
};

struct flat_record {
	u64 at;
	u64 size;
};

struct piece {
	u64 start;
	u64 end;
	u64 file;		/* where @start is in the file */
};

struct list {
	struct piece *piece;
	size_t nr;
	size_t room;
};

/**
 * struct flat - where what is
 * @list: pieces; in each run of them they are in order, without overlap, and what is
 *	in a later run is newer; once all was read there is a single run
 * @run: index of the first piece of each run
 * @runs: how many
 */
struct flat {
	struct list list;
	size_t *run;
	size_t runs;
	size_t room;
};

static void add(struct list *l, struct piece p)
{
	if (p.start >= p.end)
		return;
	l->piece = grow(l->piece, l->nr, &l->room, sizeof(*l->piece));
	l->piece[l->nr++] = p;
}

/* Take off what is before @from; returns the part of that before @end. */
static struct piece cut(struct piece *p, u64 end, u64 from)
{
	struct piece first = *p;

	first.end = min(p->end, end);
	if (from > p->start) {
		from = min(from, p->end);
		p->file += from - p->start;
		p->start = from;
	}
	return first;
}

/* Lay the pieces from @middle to @end over those from @i to @middle. */
static void overlay(struct list *out, struct piece *piece, size_t i, size_t middle,
		    size_t end)
{
	size_t k;

	for (k = middle; k < end; k++) {
		const struct piece *n = &piece[k];

		for (; i < middle && piece[i].start < n->end; i++) {
			add(out, cut(&piece[i], n->start, n->end));
			if (piece[i].start < piece[i].end)
				break;
		}
		add(out, *n);
	}
	for (; i < middle; i++)
		add(out, piece[i]);
}

/* Where run @i begins, or the last one ends. */
static size_t run_begin(const struct flat *f, size_t i)
{
	return i < f->runs ? f->run[i] : f->list.nr;
}

static void join_runs(struct flat *f)
{
	struct list out;
	size_t i, n;

	for (; f->runs > 1; f->runs = n) {
		memset(&out, 0, sizeof(out));
		for (i = 0, n = 0; i < f->runs; i += 2) {
			size_t from = run_begin(f, i), middle = run_begin(f, i + 1);
			size_t to = run_begin(f, i + 2);

			f->run[n++] = out.nr;
			overlay(&out, f->list.piece, from, middle, to);
		}
		free(f->list.piece);
		f->list = out;
	}
}

static void add_record(struct flat *f, const struct piece *p)
{
	const struct list *l = &f->list;

	if (!f->runs || (l->nr && l->piece[l->nr - 1].end > p->start)) {
		f->run = grow(f->run, f->runs, &f->room, sizeof(*f->run));
		f->run[f->runs++] = l->nr;
	}
	add(&f->list, *p);
}

/* Read all records; returns what is wrong with the first that makes no sense. */
static const char *read_records(struct image *im, struct flat *f)
{
	struct progress progress = { .what = "putting in order", .total = im->size };
	u64 file = HEADER_SIZE, size;
	struct flat_record rec;
	const char *why = NULL;
	struct piece p;

	for (;;) {
		if (pread_full(im->fd, &rec, sizeof(rec), file) < sizeof(rec)) {
			why = "is cut off";
			break;
		}
		size = be64toh(rec.size);
		p.start = be64toh(rec.at);
		p.file = file + sizeof(rec);
		if (rec.at == ~0ull)
			break;
		if (size > ~0ull >> 2 || p.start > ~0ull >> 2) {
			why = "is damaged";
			break;
		}
		if (f->list.nr == PIECES_MAX || f->runs == PIECES_MAX) {
			why = "is in too many pieces; makedumpfile -R puts them in order";
			break;
		}
		if (size > im->size - p.file)
			why = "is cut off";
		p.end = p.start + min(size, im->size - p.file);
		add_record(f, &p);
		if (why)
			break;
		file = p.file + size;
		progress_step(&progress, size);
	}
	progress_end(&progress);
	return why;
}

bool flat_load(struct image *im)
{
	struct flat *f = xcalloc(1, sizeof(*f));
	struct flat_header h = { };
	const char *why;

	im->flat = f;
	pread_full(im->fd, &h, sizeof(h), 0);
	if (be64toh(h.type) != TYPE_FLAT || be64toh(h.version) != VERSION_FLAT) {
		trouble("%s: is flattened in a way that is not known", im->path);
		return false;
	}
	why = read_records(im, f);
	if (why)
		trouble("%s: %s", im->path, why);
	join_runs(f);
	if (!f->list.nr) {
		trouble("%s: holds nothing", im->path);
		return false;
	}
	im->size = f->list.piece[f->list.nr - 1].end;
	return true;
}

/* The first piece that ends above an offset, or NULL. */
static const struct piece *find(const struct list *r, u64 at)
{
	size_t low = 0, high = r->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (r->piece[mid].end > at)
			high = mid;
		else
			low = mid + 1;
	}
	return low < r->nr ? &r->piece[low] : NULL;
}

size_t flat_read(struct image *im, void *buf, size_t n, u64 at)
{
	const struct list *r = &im->flat->list;
	const struct piece *p = find(r, at);
	size_t done = 0, part, got;

	for (; done < n && p && p < r->piece + r->nr; done += part, at += part) {
		if (at < p->start) {
			part = min_t(u64, n - done, p->start - at);
			memset((char *)buf + done, 0, part);
			continue;
		}
		part = min_t(u64, n - done, p->end - at);
		got = pread_full(im->fd, (char *)buf + done, part, p->file + (at - p->start));
		if (got < part)
			return done + got;
		p += at + part == p->end;
	}
	return done;
}

bool flat_data(struct image *im, u64 at, u64 *start, u64 *end)
{
	const struct piece *p = find(&im->flat->list, at);

	if (!p)
		return false;
	*start = max(p->start, at);
	*end = p->end;
	return true;
}

void flat_free(struct flat *f)
{
	if (!f)
		return;
	free(f->list.piece);
	free(f->run);
	free(f);
}
