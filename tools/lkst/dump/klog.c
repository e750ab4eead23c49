// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's log, from the ring of descriptors and the ring of text that it has in
 * memory (see its kernel/printk/printk_ringbuffer.c). vmcoreinfo says where they are
 * and what is where in them.
 */
#include <stdlib.h>

#include "klog.h"
#include "text.h"
#include "virt.h"

#define COUNT_BITS_MAX	24u
#define SIZE_BITS_MAX	31u
#define STRUCT_MAX	4096u
/* In the upper bits of a descriptor's state: what can be read. */
#define STATE_SHIFT	62
#define STATE_COMMITTED	1u
#define STATE_FINALIZED	2u
/* Both positions of a message without text are odd. */
#define DATALESS	1u

enum {
	RB_DESC, RB_TEXT, DR_BITS, DR_DESCS, DR_INFOS, DR_HEAD, DR_TAIL, D_SIZE, D_STATE,
	D_TEXT, I_SIZE, I_TIME, I_LEN, T_BITS, T_DATA, NUMBERS
};

static const char *const keys[] = {
	[RB_DESC] = "OFFSET(printk_ringbuffer.desc_ring)",
	[RB_TEXT] = "OFFSET(printk_ringbuffer.text_data_ring)",
	[DR_BITS] = "OFFSET(prb_desc_ring.count_bits)",
	[DR_DESCS] = "OFFSET(prb_desc_ring.descs)",
	[DR_INFOS] = "OFFSET(prb_desc_ring.infos)",
	[DR_HEAD] = "OFFSET(prb_desc_ring.head_id)",
	[DR_TAIL] = "OFFSET(prb_desc_ring.tail_id)",
	[D_SIZE] = "SIZE(prb_desc)",
	[D_STATE] = "OFFSET(prb_desc.state_var)",
	[D_TEXT] = "OFFSET(prb_desc.text_blk_lpos)",
	[I_SIZE] = "SIZE(printk_info)",
	[I_TIME] = "OFFSET(printk_info.ts_nsec)",
	[I_LEN] = "OFFSET(printk_info.text_len)",
	[T_BITS] = "OFFSET(prb_data_ring.size_bits)",
	[T_DATA] = "OFFSET(prb_data_ring.data)",
};

static_assert(ARRAY_SIZE(keys) == NUMBERS);

/**
 * struct klog - the log
 * @v: how to read it
 * @n: sizes and offsets
 * @count_bits: log2 of the descriptors
 * @size_bits: log2 of the text's bytes
 * @descs: where the descriptors are
 * @infos: what belongs to each of them
 * @data: the text
 * @head: number of the last message
 * @tail: number of the first
 * @left: bytes of text that there can be yet
 */
struct klog {
	struct virt v;
	u32 n[NUMBERS];
	u32 count_bits;
	u32 size_bits;
	u64 descs;
	u64 infos;
	u64 data;
	u64 head;
	u64 tail;
	u64 left;
};

static bool read_keys(struct klog *k)
{
	const char *value;
	int i;

	for (i = 0; i < NUMBERS; i++) {
		value = memsrc_vmcoreinfo(k->v.mem, keys[i]);
		if (!value)
			return false;
		k->n[i] = strtoul(value, NULL, 10);
		if (k->n[i] > STRUCT_MAX)
			return false;
	}
	return true;
}

static bool find_rings(struct klog *k)
{
	const char *symbol = memsrc_vmcoreinfo(k->v.mem, "SYMBOL(prb)");
	u64 prb, desc, text;

	if (!symbol || !read_keys(k) ||
	    !virt_read(&k->v, strtoull(symbol, NULL, 16), &prb, sizeof(prb)))
		return false;
	desc = prb + k->n[RB_DESC];
	text = prb + k->n[RB_TEXT];
	return virt_read(&k->v, desc + k->n[DR_BITS], &k->count_bits, sizeof(k->count_bits)) &&
	       virt_read(&k->v, desc + k->n[DR_DESCS], &k->descs, sizeof(k->descs)) &&
	       virt_read(&k->v, desc + k->n[DR_INFOS], &k->infos, sizeof(k->infos)) &&
	       virt_read(&k->v, desc + k->n[DR_HEAD], &k->head, sizeof(k->head)) &&
	       virt_read(&k->v, desc + k->n[DR_TAIL], &k->tail, sizeof(k->tail)) &&
	       virt_read(&k->v, text + k->n[T_BITS], &k->size_bits, sizeof(k->size_bits)) &&
	       virt_read(&k->v, text + k->n[T_DATA], &k->data, sizeof(k->data)) &&
	       k->count_bits <= COUNT_BITS_MAX && k->size_bits <= SIZE_BITS_MAX;
}

/* The text between two positions, without the number in front: at most @n bytes. */
static size_t read_text(struct klog *k, const u64 pos[2], char *to, size_t n)
{
	u64 mask = BIT_ULL(k->size_bits) - 1, begin = pos[0] & mask, end = pos[1] & mask;

	/* What does not fit at the end of the ring is at its begin. */
	if (pos[0] >> k->size_bits != pos[1] >> k->size_bits && end)
		begin = 0;
	else if (pos[0] >> k->size_bits != pos[1] >> k->size_bits)
		end = mask + 1;
	begin += sizeof(u64);
	if (begin >= end)
		return 0;
	n = min_t(u64, n, end - begin);
	return virt_read(&k->v, k->data + begin, to, n) ? n : 0;
}

static void write_lines(FILE *f, u64 ns, const char *text, size_t n)
{
	static char shown[65536 * ESCAPE_MAX];
	const char *end;
	size_t len;

	for (;; text = end + 1, n -= len + 1) {
		end = memchr(text, '\n', n);
		len = end ? (size_t)(end - text) : n;
		fprintf(f, "[%5llu.%06llu] %.*s\n", ns / 1000000000, ns % 1000000000 / 1000,
			(int)text_escape(shown, text, len, ""), shown);
		if (!end)
			return;
	}
}

/* The message of that number; false if it is not there, or not whole. */
static bool write_message(struct klog *k, u64 id, FILE *f)
{
	u64 i = id & (BIT_ULL(k->count_bits) - 1), state, pos[2], ns;
	u64 desc = k->descs + i * k->n[D_SIZE], info = k->infos + i * k->n[I_SIZE];
	static char text[65536];
	u16 len;

	if (!virt_read(&k->v, desc + k->n[D_STATE], &state, sizeof(state)) ||
	    !virt_read(&k->v, desc + k->n[D_TEXT], pos, sizeof(pos)) ||
	    !virt_read(&k->v, info + k->n[I_TIME], &ns, sizeof(ns)) ||
	    !virt_read(&k->v, info + k->n[I_LEN], &len, sizeof(len)))
		return false;
	if ((state >> STATE_SHIFT != STATE_COMMITTED && state >> STATE_SHIFT != STATE_FINALIZED) ||
	    (state ^ id) << 2)
		return false;
	len = pos[0] & pos[1] & DATALESS ? 0 : read_text(k, pos, text, len);
	if (len > k->left) {
		k->left = 0;
		return false;
	}
	k->left -= len;
	write_lines(f, ns, text, len);
	return true;
}

u64 klog_write(struct memsrc *mem, FILE *f)
{
	struct klog k = { };
	u64 id, i, n = 0;

	if (!virt_init(&k.v, mem) || !find_rings(&k))
		return 0;
	id = k.tail;
	/* Messages do not share their text. */
	k.left = min(BIT_ULL(k.size_bits), mem->present);
	for (i = 0; i < BIT_ULL(k.count_bits) && k.left; i++, id++) {
		n += write_message(&k, id, f);
		if (!((id ^ k.head) << 2))
			break;
	}
	if (!k.left)
		trouble("the kernel's log has more text than its buffer; ends after %llu messages",
			n);
	return n;
}
