/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of LKST share; by the file that defines it. */
#ifndef _LKST_INTERNAL_H
#define _LKST_INTERNAL_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/lkst.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <uapi/linux/lkst.h>

struct proc_dir_entry;
struct seq_buf;

#define LKST_DFL	1
#define LKST_ANA	2
#define LKST_ALL	4
#define LKST_OWN	8

/* event.c: the catalogue */

enum lkst_type {
	LKST_TYPE_u16, LKST_TYPE_u32, LKST_TYPE_u64, LKST_TYPE_s32, LKST_TYPE_s64,
	LKST_TYPE_NAME, LKST_TYPE_TEXT
};

/**
 * struct lkst_field - a field of an event's record
 * @name: its name
 * @unit: "", "hex", or what it counts
 * @text: what it is
 * @type: LKST_TYPE_*
 * @count: numbers in it, where it is a sequence of them
 */
struct lkst_field {
	const char *name;
	const char *unit;
	const char *text;
	enum lkst_type type;
	unsigned int count;
};

/**
 * struct lkst_event - an event
 * @group: name of its group
 * @name: its name in the group
 * @text: what happens
 * @sets: LKST_DFL and the like
 * @nr_fields: number of @fields
 * @fields: in the order in which they lie in the record
 * @key: on while the hook is
 */
struct lkst_event {
	const char *group;
	const char *name;
	const char *text;
	unsigned int sets;
	unsigned int nr_fields;
	const struct lkst_field *fields;
	struct static_key_false *key;
};

extern const struct lkst_event lkst_events[LKST_NR_EVENTS];

/* The first event of each group, as events of a group stand together. */
#define for_each_lkst_group(id)						\
	for ((id) = 0; (id) < LKST_NR_EVENTS; (id) += lkst_group_size(id))

unsigned int lkst_group_size(unsigned int first);
const char *lkst_type_name(const struct lkst_field *field);
int lkst_events_init(struct kobject *root);

/* handler.c */

/**
 * struct lkst_handler - what runs when an event is hit
 * @kobj: its directory in handlers/
 * @list: all handlers; lkst_lock
 * @name: its name
 * @type: "record" or "count"
 * @hit: called with the payload of the record that the event would make, of
 *	@words words, preemption off, in any context; NULL for record, which
 *	hooks do themselves
 * @count: hits by event, for count
 * @users: masksets' entries that name it; lkst_lock
 * @builtin: cannot be removed
 */
struct lkst_handler {
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	const char *type;
	void (*hit)(const struct lkst_handler *handler, u32 id,
		    const void *payload, u32 words);
	u64 __percpu *count;
	unsigned int users;
	bool builtin;
};

extern struct lkst_handler lkst_record;
extern struct lkst_handler lkst_count;

struct lkst_handler *lkst_handler_find(const char *name);
int lkst_handlers_init(struct kobject *root);

/* maskset.c */

/**
 * struct lkst_maskset - a table from event to handler
 * @handler: by event; NULL for none. Stored with WRITE_ONCE() under lkst_lock. It
 *	comes first, as lkst_is_mapped() knows
 * @kobj: its directory in masksets/
 * @list: all masksets; lkst_lock
 * @name: its name
 * @refs: references by lkst_maskset_get(); lkst_lock
 * @builtin: read-only
 * @armed: its hooks are on although it is not current; lkst_lock
 */
struct lkst_maskset {
	const struct lkst_handler *handler[LKST_NR_EVENTS];
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	unsigned int refs;
	bool builtin;
	bool armed;
};

extern struct lkst_maskset lkst_maskset_stopped;

struct lkst_maskset *lkst_maskset_chosen(void);
bool lkst_enabled(void);
void lkst_enable(bool on);
int lkst_masksets_init_early(const char *name);
int lkst_masksets_init(struct kobject *root);

/* buffer.c */

/**
 * struct lkst_rings - one incarnation of a buffer
 * @ref: held by the buffer and by open files
 * @buffer: whose it is, or NULL once it was replaced; lkst_lock
 * @info: what a dump reader finds; has name, uuid, sizes and mode
 * @dirent: that leads to @info
 * @reader: CPUs that have a reader, in discard mode
 * @ring: by CPU, NULL where a CPU is not possible
 */
struct lkst_rings {
	struct kref ref;
	struct lkst_buffer *buffer;
	struct lkst_buffer_info *info;
	struct lkst_dirent *dirent;
	unsigned long *reader;
	struct lkst_ring *ring[];
};

/**
 * struct lkst_buffer - a named set of rings
 * @kobj: its directory in buffers/
 * @list: all buffers; lkst_lock
 * @name: its name
 * @proc: its directory in /proc/lkst/buffers/
 * @rings: stored with WRITE_ONCE() under lkst_lock
 * @refs: references by lkst_buffer_get(); lkst_lock
 */
struct lkst_buffer {
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	struct proc_dir_entry *proc;
	struct lkst_rings *rings;
	unsigned int refs;
};

extern struct lkst_rings *lkst_rings_now;
extern struct list_head lkst_buffers;

void lkst_buffers_replace(void);
void lkst_buffers_head(void);
void lkst_rings_put(struct lkst_rings *rings);
int lkst_buffers_init_early(const char *size, const char *packet);
int lkst_buffers_init(struct kobject *root);

/* clock.c */

u64 lkst_clock_hz(void);
const char *lkst_clock_name(void);
void lkst_clock_pair(u64 *clock, u64 *wall_ns);
void lkst_clock_record(void);
void lkst_clock_init_early(void);
void lkst_clock_init(void);
int lkst_clock_add(struct kobject *root);

/* core.c */

/* Bytes of a line of a file of counts: blanks, a u64, and a newline. */
#define LKST_COUNT_LINE	21

extern struct mutex lkst_lock;
extern struct mutex lkst_names;
extern u8 lkst_boot_id[16];

void lkst_synchronize(void);
int lkst_name_check(const char *name);
int lkst_input(const char *buf, size_t count, char *word, size_t size);
int lkst_input_bool(const char *buf, size_t count, bool *value);
ssize_t lkst_input_remove(const char *buf, size_t size, int (*remove)(const char *name));
ssize_t lkst_counts_read(char *buf, loff_t off, size_t size,
			 u64 (*count)(const void *of, unsigned int cpu), const void *of);
bool lkst_locked_down(void);

/* metadata.c */

u32 lkst_metadata_head(const struct lkst_rings *rings, u8 *text, u32 size);
const char *lkst_metadata_body(size_t *size);
int lkst_metadata_init(void);

/* crash.c */

extern struct lkst_state *lkst_state;

struct lkst_dirent *lkst_dir_add(u32 type, u32 cpu, u64 index, u64 pa, u64 size);
void lkst_dir_remove(struct lkst_dirent *dirent);
int lkst_crash_init_early(void);
void lkst_crash_init(void);

/* task.c */

void lkst_tasks_init(unsigned int entries);

/* proc.c */

int lkst_proc_init(void);
int lkst_proc_buffer_add(struct lkst_buffer *buffer);
void lkst_proc_wake(struct lkst_rings *rings);

/* trace.c */

extern const struct proc_ops lkst_trace_ops;

#endif /* _LKST_INTERNAL_H */
