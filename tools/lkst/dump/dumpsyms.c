// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions, from the tables that the kernel in a dump has for itself
 * (see its scripts/kallsyms.c). vmcoreinfo says where they are. Each name is a
 * type and the name proper, in tokens of one byte.
 */
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "symbols.h"

#define TOKENS		256
/* As far as an index of 16 bits leads. */
#define TOKEN_BYTES	65536

enum { NAMES, NUM_SYMS, TOKEN_TABLE, TOKEN_INDEX, OFFSETS, RELATIVE_BASE, TABLES };

static const char *const keys[] = {
	[NAMES] = "SYMBOL(kallsyms_names)",
	[NUM_SYMS] = "SYMBOL(kallsyms_num_syms)",
	[TOKEN_TABLE] = "SYMBOL(kallsyms_token_table)",
	[TOKEN_INDEX] = "SYMBOL(kallsyms_token_index)",
	[OFFSETS] = "SYMBOL(kallsyms_offsets)",
	[RELATIVE_BASE] = "SYMBOL(kallsyms_relative_base)",
};

static_assert(ARRAY_SIZE(keys) == TABLES);

/**
 * struct kallsyms - the tables
 * @mem: what they are read from
 * @pa: where they are
 * @token: all tokens
 * @index: where in @token each begins
 * @offset: of each symbol
 * @nr: how many symbols
 * @base: what an offset is relative to
 * @part: of the names
 * @at: next byte in @part
 * @len: bytes in @part
 */
struct kallsyms {
	struct memsrc *mem;
	u64 pa[TABLES];
	char token[TOKEN_BYTES + 1];
	u16 index[TOKENS];
	s32 *offset;
	u32 nr;
	u64 base;
	u8 part[16384];
	size_t at;
	size_t len;
};

/* The value of a line of vmcoreinfo; 0 is none. */
static u64 get_symbol(const struct memsrc *mem, const char *key)
{
	const char *value = memsrc_vmcoreinfo(mem, key);

	return value ? strtoull(value, NULL, 16) : 0;
}

/* Of a kernel without tables vmcoreinfo has none of them. */
static bool has_tables(const struct memsrc *mem)
{
	size_t i;

	for (i = 0; i < TABLES; i++)
		if (!memsrc_vmcoreinfo(mem, keys[i]))
			return false;
	return true;
}

static bool find_tables(struct kallsyms *k)
{
	const char *number = memsrc_vmcoreinfo(k->mem, "NUMBER(phys_base)");
	u64 phys_base;
	size_t i;

	if (!number)
		return false;
	phys_base = strtoll(number, NULL, 10);
	for (i = 0; i < TABLES; i++)
		k->pa[i] = get_symbol(k->mem, keys[i]) - KERNEL_MAP + phys_base;
	return true;
}

static bool read_tables(struct kallsyms *k)
{
	if (!memsrc_read_all(k->mem, k->pa[NUM_SYMS], &k->nr, sizeof(k->nr)) ||
	    !memsrc_read_all(k->mem, k->pa[RELATIVE_BASE], &k->base, sizeof(k->base)) ||
	    !memsrc_read_all(k->mem, k->pa[TOKEN_INDEX], k->index, sizeof(k->index)) ||
	    !memsrc_read(k->mem, k->pa[TOKEN_TABLE], k->token, TOKEN_BYTES) ||
	    !k->nr || k->nr > SYMBOLS_MAX)
		return false;
	k->offset = xcalloc(k->nr, sizeof(*k->offset));
	return memsrc_read_all(k->mem, k->pa[OFFSETS], k->offset,
			       k->nr * sizeof(*k->offset));
}

/* The next byte of the names, or -1 if there is none. */
static int next_byte(struct kallsyms *k)
{
	if (k->at == k->len) {
		k->pa[NAMES] += k->len;
		k->len = memsrc_read(k->mem, k->pa[NAMES], k->part, sizeof(k->part));
		k->at = 0;
	}
	return k->at < k->len ? k->part[k->at++] : -1;
}

/* The next name with its type, of at most @room bytes, or 0 if it makes no sense. */
static size_t next_name(struct kallsyms *k, char *name, size_t room)
{
	int left = next_byte(k), byte;
	size_t n = 0, len;

	/* A long one has 7 bits more. */
	if (left >= 0x80) {
		byte = next_byte(k);
		left = byte < 0 ? -1 : (left & 0x7f) | byte << 7;
	}
	for (; left > 0; left--) {
		byte = next_byte(k);
		if (byte < 0)
			return 0;
		len = strlen(k->token + k->index[byte]);
		if (len > room - n)
			return 0;
		memcpy(name + n, k->token + k->index[byte], len);
		n += len;
	}
	return n;
}

/*
 * With CONFIG_KALLSYMS_ABSOLUTE_PERCPU the offsets of what is in CPUs' own memory
 * are its addresses, the lowest of all, and all other offsets are negative.
 */
static u64 address(const struct kallsyms *k, u32 i)
{
	if (k->offset[k->nr - 1] >= 0)
		return k->base + (u32)k->offset[i];
	if (k->offset[i] >= 0)
		return k->offset[i];
	return k->base - 1 - (s64)k->offset[i];
}

static bool read_names(struct kallsyms *k, struct symbols *s)
{
	char name[SYMBOL_NAME_MAX + 1];
	size_t len;
	u64 at;
	u32 i;

	for (i = 0; i < k->nr; i++) {
		len = next_name(k, name, sizeof(name));
		if (!len)
			return false;
		at = address(k, i);
		if (in_kernel_map(at) && !symbols_add(s, at, *name, name + 1, len - 1))
			return false;
	}
	/* The one that vmcoreinfo knows too tells whether the others are right. */
	return symbols_address(s, "_stext") == get_symbol(k->mem, "SYMBOL(_stext)");
}

bool dump_is_newest(const struct dump *d)
{
	const char *number = memsrc_vmcoreinfo(d->mem, DESCRIPTOR_KEY);

	return number && d->have_desc && strtoull(number, NULL, 0) == d->desc.pa;
}

struct symbols *dump_symbols(struct dump *d)
{
	struct kallsyms *k;

	if (d->symbols)
		return d->symbols;
	d->symbols = symbols_new();
	if (!dump_is_newest(d) || !has_tables(d->mem))
		return d->symbols;
	k = xcalloc(1, sizeof(*k));
	k->mem = d->mem;
	if (find_tables(k) && read_tables(k) && read_names(k, d->symbols)) {
		symbols_finish(d->symbols);
	} else {
		trouble("the kernel's table of symbols is damaged; addresses have no names");
		symbols_free(d->symbols);
		d->symbols = symbols_new();
	}
	free(k->offset);
	free(k);
	return d->symbols;
}
