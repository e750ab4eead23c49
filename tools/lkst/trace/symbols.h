/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions of the kernel, by address. */
#ifndef LKST_SYMBOLS_H
#define LKST_SYMBOLS_H

#include "util.h"

/* Where x86-64 maps the image of a kernel; modules lie above. */
#define KERNEL_MAP	0xffffffff80000000ull
#define KERNEL_MAP_SIZE	0x40000000ull

/* More than a kernel has. */
#define SYMBOLS_MAX	1000000u
/* Longer than any name: KSYM_NAME_LEN. */
#define SYMBOL_NAME_MAX	512u

/**
 * struct symbol - a function, which goes on to where the next one begins
 * @at: its address
 * @name: where in the text of all names its name is
 * @len: bytes of that; 0 if this is the end of code, and no function
 * @type: as nm(1) shows it
 * @used: by an address that symbols_mark() was told of
 */
struct symbol {
	u64 at;
	u32 name;
	u16 len;
	char type;
	bool used;
};

struct symbols;

/* Can it be the address of a kernel's function? */
static inline bool in_kernel_map(u64 address)
{
	return address - KERNEL_MAP < KERNEL_MAP_SIZE;
}

struct symbols *symbols_new(void);
void symbols_free(struct symbols *s);

/* Add one, in any order; false if there can be none of this name. */
bool symbols_add(struct symbols *s, u64 at, char type, const char *name, size_t len);

/* The address of the first of this name, or 0. */
u64 symbols_address(const struct symbols *s, const char *name);

/* Move all that were added, as if the kernel's text began there. */
void symbols_move(struct symbols *s, u64 text);

/*
 * All were added: keep what lies in the kernel's text. Of several at an address
 * that is the first that was added, as in the kernel.
 */
void symbols_finish(struct symbols *s);

/* The function that an address is in, or NULL. */
const struct symbol *symbols_find(struct symbols *s, u64 address);
const char *symbols_name(const struct symbols *s, const struct symbol *symbol);

/* The function that an address is in is needed; all of them are. */
void symbols_mark(struct symbols *s, u64 address);
void symbols_mark_all(struct symbols *s);

/*
 * Text in the form of /proc/kallsyms with those that were marked, to be freed, or
 * NULL if there are none; the marks are gone then.
 */
char *symbols_to_text(struct symbols *s, size_t *size);
/* Add what is in such a text, as far as it makes sense. */
void symbols_from_text(struct symbols *s, const char *text);

#endif /* LKST_SYMBOLS_H */
