// SPDX-License-Identifier: GPL-2.0
/* Handlers of modules. See linux/lkst.h, and samples/lkst/ for two of them. */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "lkst.h"

/**
 * struct client - a handler of a module
 * @handler: what LKST knows
 * @hit: the module's function
 * @data: for it
 */
struct client {
	struct lkst_handler handler;
	void (*hit)(const struct lkst_hit *hit, void *data);
	void *data;
};

#define to_client(h)	container_of(h, struct client, handler)

static void client_hit(struct lkst_handler *handler, struct lkst_maskset *set, u32 id,
		       const u64 *payload, u32 words)
{
	const struct client *client = to_client(handler);
	const struct lkst_hit hit = {
		.handler = handler,
		.id = id,
		.words = words,
		.payload = payload,
	};

	if (lkst_irq_work_left(id, payload)) {
		atomic_long_inc(&handler->suppressed);
		return;
	}
	if (!lkst_act_begin(handler))
		return;
	client->hit(&hit, client->data);
	lkst_act_end();
}

NOKPROBE_SYMBOL(client_hit);

static int client_init(struct lkst_handler *handler)
{
	lkst_notice_init(handler);
	return 0;
}

static const struct lkst_handler_type client_type = {
	.name = "module",
	.size = sizeof(struct client),
	.hit = client_hit,
	.init = client_init,
	.added = lkst_notice_add,
	.drop = lkst_notice_drop,
	.module = true,
};

static void client_setup(struct lkst_handler *handler, const void *data)
{
	const struct client *from = data;

	to_client(handler)->hit = from->hit;
	to_client(handler)->data = from->data;
}

struct lkst_handler *
lkst_handler_register(const char *name, void (*hit)(const struct lkst_hit *hit, void *data),
		      void *data)
{
	const struct client client = { .hit = hit, .data = data };
	struct lkst_handler *handler;

	if (!lkst_is_running())
		return ERR_PTR(-ENODEV);
	mutex_lock(&lkst_names);
	handler = lkst_handler_create(&client_type, name, client_setup, &client);
	mutex_unlock(&lkst_names);
	return handler;
}
EXPORT_SYMBOL_GPL(lkst_handler_register);

void lkst_handler_unregister(struct lkst_handler *handler)
{
	mutex_lock(&lkst_names);
	lkst_handler_remove(handler);
	mutex_unlock(&lkst_names);
}
EXPORT_SYMBOL_GPL(lkst_handler_unregister);

void lkst_handler_notify(const struct lkst_hit *hit)
{
	u64 nr = lkst_firing_count(hit->handler, 0);

	lkst_firing_note(hit->handler, nr, hit->id);
	lkst_notice(hit->handler, LKST_NOTICE_POLL);
}
EXPORT_SYMBOL_GPL(lkst_handler_notify);

bool lkst_hit_record(const struct lkst_hit *hit)
{
	return lkst_record_payload(hit->id, hit->payload, hit->words);
}
EXPORT_SYMBOL_GPL(lkst_hit_record);

/* The event GROUP/EVENT, or LKST_NR_EVENTS. */
static u32 event_find(const char *name)
{
	u32 id;

	for (id = 0; id < LKST_NR_EVENTS; id++) {
		size_t n = strlen(lkst_events[id].group);

		if (!strncmp(name, lkst_events[id].group, n) && name[n] == '/' &&
		    !strcmp(name + n + 1, lkst_events[id].name))
			break;
	}
	return id;
}

int lkst_value_find(const char *event, const char *field, struct lkst_value *value)
{
	u32 id = event_find(event), offset = 0, i;

	if (id == LKST_NR_EVENTS)
		return -ENOENT;
	for (i = 0; i < lkst_events[id].nr_fields; i++) {
		const struct lkst_field *this = &lkst_events[id].fields[i];

		if (!strcmp(this->name, field))
			break;
		offset += lkst_field_size(this);
	}
	if (i == lkst_events[id].nr_fields)
		return -ENOENT;
	if (!lkst_type_bits(lkst_events[id].fields[i].type))
		return -EINVAL;
	value->id = id;
	value->offset = offset;
	value->bits = lkst_type_bits(lkst_events[id].fields[i].type);
	value->is_signed = lkst_type_is_signed(lkst_events[id].fields[i].type);
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_value_find);

u64 lkst_value_get(const struct lkst_hit *hit, const struct lkst_value *value)
{
	u64 word;

	if (hit->id != value->id)
		return 0;
	word = hit->payload[value->offset / 8];
	word <<= 64 - value->bits - value->offset % 8 * 8;
	return value->is_signed ? (u64)((s64)word >> (64 - value->bits)) :
				  word >> (64 - value->bits);
}
EXPORT_SYMBOL_GPL(lkst_value_get);
