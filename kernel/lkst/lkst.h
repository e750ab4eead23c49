/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of LKST share; by the file that defines it. */
#ifndef _LKST_INTERNAL_H
#define _LKST_INTERNAL_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/irq_work.h>
#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/lkst.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <uapi/linux/lkst.h>

struct kernfs_node;
struct lkst_match;
struct lkst_term;
struct proc_dir_entry;
struct seq_buf;

#define LKST_DFL	1
#define LKST_ANA	2
#define LKST_ALL	4
#define LKST_OWN	8
#define LKST_LCK	16

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
 * lkst_type_bits() - Bits of a number
 * @type: of the field
 *
 * Return: bits, 0 for what is no number.
 */
static inline unsigned int lkst_type_bits(enum lkst_type type)
{
	switch (type) {
	case LKST_TYPE_u16:
		return 16;
	case LKST_TYPE_u32:
	case LKST_TYPE_s32:
		return 32;
	case LKST_TYPE_u64:
	case LKST_TYPE_s64:
		return 64;
	default:
		return 0;
	}
}

/**
 * lkst_type_is_signed() - Has a number a sign?
 * @type: of the field
 *
 * Return: whether it has.
 */
static inline bool lkst_type_is_signed(enum lkst_type type)
{
	return type == LKST_TYPE_s32 || type == LKST_TYPE_s64;
}

/**
 * lkst_field_size() - Size of a field
 * @field: the field
 *
 * Return: bytes that it takes in a record; of a text, those before its characters.
 */
static inline unsigned int lkst_field_size(const struct lkst_field *field)
{
	if (field->type == LKST_TYPE_NAME)
		return LKST_COMM_SIZE;
	if (field->type == LKST_TYPE_TEXT)
		return sizeof(u32);
	return lkst_type_bits(field->type) / 8 * field->count;
}

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

/* hook.c */

/* Return addresses in a record of lkst/stack. */
#define LKST_STACK_FRAMES	16

bool lkst_record_payload(u32 id, const u64 *payload, u32 words);
void lkst_detail_regs(u32 id, const struct pt_regs *regs);
void lkst_detail_stack(u32 id, const u64 *frames);
void lkst_detail_task(u32 id, const struct task_struct *task);

/* Why it is not known which threads run; also in records of lkst/threads_unknown. */
#define LKST_UNKNOWN_SWITCHES	1
#define LKST_UNKNOWN_START	2
#define LKST_UNKNOWN_BUFFER	3

void lkst_threads_unknown(u32 why);

/* handler.c */

/**
 * typedef lkst_hit_t - what runs when an event is hit
 * @handler: for which it runs
 * @set: the maskset that mapped the event to it
 * @id: number of the event
 * @payload: of the record that the event would make
 * @words: of @payload
 *
 * Context: any, preemption off.
 */
typedef void lkst_hit_t(struct lkst_handler *handler, struct lkst_maskset *set, u32 id,
			const u64 *payload, u32 words);

/**
 * struct lkst_handler_type - a kind of handler
 * @name: its name
 * @size: bytes of a handler, which begins with a struct lkst_handler
 * @hit: what runs
 * @init: prepares a handler; nobody knows it yet
 * @added: called when its directory is there; lkst_names held
 * @drop: called when its directory is gone and nothing runs it; undoes @init and
 *	@added, of which either may have failed
 * @release: frees what was allocated for it
 * @rearm: called when it is to begin to count anew
 * @group: files that handlers of this kind have
 * @module: is registered by modules, and not created or removed by users
 */
struct lkst_handler_type {
	const char *name;
	size_t size;
	lkst_hit_t *hit;
	int (*init)(struct lkst_handler *handler);
	int (*added)(struct lkst_handler *handler);
	void (*drop)(struct lkst_handler *handler);
	void (*release)(struct lkst_handler *handler);
	void (*rearm)(struct lkst_handler *handler);
	const struct attribute_group *group;
	bool module;
};

/* Firings that are remembered. */
#define LKST_FIRINGS	4

/**
 * struct lkst_firing - when and where a handler fired
 * @nr: which firing, from 1; 0 while the others are written
 * @time_ns: CLOCK_MONOTONIC
 * @cpu: the CPU
 * @tid: thread that ran
 * @id: number of the event
 */
struct lkst_firing {
	u64 nr;
	u64 time_ns;
	u32 cpu;
	s32 tid;
	u32 id;
};

/**
 * struct lkst_handler - what runs when an event is hit
 * @count: hits by event, for count
 * @hit: its type's
 * @programs: by event, of a condition without which @hit need not run; or NULL
 * @type: what kind it is
 * @kobj: its directory in handlers/
 * @list: all handlers; lkst_lock
 * @name: its name
 * @builtin: cannot be removed
 * @records: it records every hit
 * @reached: an armed set maps it, or an action can make one; lkst_lock
 * @fired: how often it fired
 * @suppressed: how often it did not fire, as a handler was acting
 * @last: firings, by number
 * @notices: LKST_NOTICE_* that are to be given
 * @notified: who polls was woken, and nobody has read @fired since
 * @work: gives the notices
 * @fired_file: the file that is polled
 */
struct lkst_handler {
	u64 __percpu *count;
	lkst_hit_t *hit;
	const struct lkst_term *const *programs;
	const struct lkst_handler_type *type;
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	bool builtin;
	bool records;
	bool reached;
	atomic64_t fired;
	atomic_long_t suppressed;
	struct lkst_firing last[LKST_FIRINGS];
	unsigned int notices;
	bool notified;
	struct irq_work work;
	struct kernfs_node *fired_file;
};

extern struct lkst_handler lkst_record;
extern struct lkst_handler lkst_count;
extern struct list_head lkst_handlers;

bool lkst_act_begin(struct lkst_handler *handler);
void lkst_act_end(void);
struct lkst_handler *lkst_handler_find(const char *name);
struct lkst_handler *
lkst_handler_create(const struct lkst_handler_type *type, const char *name,
		    void (*setup)(struct lkst_handler *handler, const void *data),
		    const void *data);
void lkst_handler_remove(struct lkst_handler *handler);
int lkst_handlers_init(struct kobject *root);

/* notice.c */

#define LKST_NOTICE_POLL	1
#define LKST_NOTICE_LOG		2

u64 lkst_firing_count(struct lkst_handler *handler, u64 limit);
void lkst_firing_note(struct lkst_handler *handler, u64 nr, u32 id);
ssize_t lkst_firing_show(const struct lkst_handler *handler, char *buf);
void lkst_notice(struct lkst_handler *handler, unsigned int what);
void lkst_notices_resume(void);
int lkst_notice_add(struct lkst_handler *handler);
void lkst_notice_init(struct lkst_handler *handler);
void lkst_notice_drop(struct lkst_handler *handler);

/* detail.c */

extern const struct lkst_handler_type lkst_detail_type;

unsigned long lkst_sched_caller(unsigned long site);

/* trigger.c */

extern const struct lkst_handler_type lkst_trigger_type;

bool lkst_handler_is_named(const struct lkst_handler *handler);
void lkst_handler_forget(const struct lkst_handler *handler);
bool lkst_handler_reach(struct lkst_handler *handler);
bool lkst_handler_matches(const struct lkst_handler *handler, u32 id);

/* syscalls.c */

/* Numbers of system calls that there can be, in either ABI. */
#define LKST_SYSCALLS		1024
/* Events that a list of them is about; they stand together, enter first. */
#define LKST_SYSCALL_EVENTS	3

/**
 * struct lkst_syscalls - a maskset's list of system calls
 * @handler: what the set maps the events to; stored with WRITE_ONCE()
 * @listed: by number, of the native ABI and of the 32-bit one
 * @size: bytes of @text
 * @text: the list as it was written
 */
struct lkst_syscalls {
	struct lkst_handler *handler[LKST_SYSCALL_EVENTS];
	unsigned long listed[2][BITS_TO_LONGS(LKST_SYSCALLS)];
	size_t size;
	char text[];
};

extern struct lkst_handler lkst_syscall_filter;

int lkst_syscalls_make(const char *text, struct lkst_syscalls **list);

/* maskset.c */

/**
 * struct lkst_maskset - a table from event to handler
 * @handler: by event; NULL for none, lkst_syscall_filter for one that @syscalls
 *	knows. Stored with WRITE_ONCE(), under lkst_lock or by lkst_maskset_map(). It
 *	comes first, as lkst_is_mapped() knows
 * @syscalls: the system calls that it is about, or NULL for all. Stored with
 *	WRITE_ONCE() under lkst_lock
 * @listing: @syscalls is being replaced: lkst_maskset_map() leaves what it says of
 *	their events in @late
 * @late: that, or lkst_syscall_filter for nothing
 * @kobj: its directory in masksets/
 * @list: all masksets; lkst_lock
 * @name: its name
 * @refs: references by lkst_maskset_get(); lkst_lock
 * @builtin: read-only
 * @armed: its hooks are on although it is not current; lkst_lock
 * @reached: its hooks are on, as it is armed, or current, or an action of a handler
 *	that another such set maps can make it current; lkst_lock
 */
struct lkst_maskset {
	struct lkst_handler *handler[LKST_NR_EVENTS];
	struct lkst_syscalls *syscalls;
	bool listing;
	struct lkst_handler *late[LKST_SYSCALL_EVENTS];
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	unsigned int refs;
	bool builtin;
	bool armed;
	bool reached;
};

extern struct lkst_maskset lkst_maskset_stopped;

struct lkst_maskset *lkst_maskset_chosen(void);
bool lkst_records_switches(const struct lkst_maskset *set);
bool lkst_switches_recorded(void);
struct lkst_maskset *lkst_maskset_ref(const char *name);
void lkst_maskset_unref(struct lkst_maskset *set);
void lkst_maskset_map(struct lkst_maskset *set, u32 id, struct lkst_handler *handler);
void lkst_keys_update(void);
bool lkst_handler_is_mapped(const struct lkst_handler *handler);
void lkst_handler_unmap(const struct lkst_handler *handler);
int lkst_handler_fits(const struct lkst_handler *handler, const struct lkst_match *match);
bool lkst_enabled(void);
bool lkst_pause(void);
void lkst_enable(bool on);
void lkst_start(void);
void lkst_stop(void);
int lkst_masksets_init_early(const char *name);
int lkst_masksets_init(struct kobject *root);

/**
 * struct lkst_moment - the clock, and what it was at some moment
 * @clock: LKST_CLOCK_*
 * @spare: 0
 * @hz: its ticks a second, 0 where they are not known
 * @ticks: what it was
 * @wall_ns: wall time then, in ns since 1970
 */
struct lkst_moment {
	u32 clock;
	u32 spare;
	u64 hz;
	u64 ticks;
	u64 wall_ns;
};

/* buffer.c */

/**
 * struct lkst_rings - one incarnation of a buffer
 * @ref: held by the buffer and by open files
 * @buffer: whose it is, or NULL once it was replaced; lkst_lock
 * @info: what a dump reader finds; has name, uuid, sizes and mode
 * @dirent: that leads to @info
 * @reader: CPUs that have a reader, in discard mode
 * @tsc: made for timestamps of the time-stamp counter
 * @persists: it lies in the reserved area
 * @left: it was the current one, and another became that; stored from any context
 * @past: what is known of the boot whose trace it holds, NULL for this one. Nothing
 *	is recorded into it then
 * @ring: by CPU, NULL where a CPU is not possible
 */
struct lkst_rings {
	struct kref ref;
	struct lkst_buffer *buffer;
	struct lkst_buffer_info *info;
	struct lkst_dirent *dirent;
	unsigned long *reader;
	bool tsc;
	bool persists;
	bool left;
	struct lkst_past *past;
	struct lkst_ring *ring[];
};

/**
 * struct lkst_buffer - a named set of rings
 * @kobj: its directory in buffers/
 * @list: all buffers; lkst_lock
 * @name: its name
 * @proc: its directory in /proc/lkst/buffers/
 * @rings: stored with WRITE_ONCE() under lkst_lock
 * @next: what is current after it, with a reference, or NULL. Stored with
 *	WRITE_ONCE() under lkst_lock
 * @refs: references by lkst_buffer_get(); lkst_lock
 */
struct lkst_buffer {
	struct kobject kobj;
	struct list_head list;
	char name[LKST_NAME_SIZE];
	struct proc_dir_entry *proc;
	struct lkst_rings *rings;
	struct lkst_buffer *next;
	unsigned int refs;
};

extern struct lkst_rings *lkst_rings_now;
extern struct list_head lkst_buffers;

struct lkst_buffer *lkst_buffer_ref(const char *name);
void lkst_buffer_unref(struct lkst_buffer *buffer);
void lkst_buffer_switch_after(struct lkst_buffer *buffer, u32 records);
struct lkst_ring *lkst_ring_counted(struct lkst_ring *ring);
void lkst_ring_count_done(struct lkst_ring *ring);
void lkst_buffers_refresh(void);
void lkst_buffers_head(void);
void lkst_rings_put(struct lkst_rings *rings);
int lkst_buffers_init_early(const char *size, const char *packet, const char *persist,
			    unsigned int tasks);
int lkst_buffers_init(struct kobject *root);

/* persist.c */

/**
 * struct lkst_past - what is known of an earlier boot
 * @moment: its clock
 * @text: where its kernel's text began
 * @uuid: what the packets carry
 * @damaged: packets that were left out
 * @nr_tasks: entries of @tasks
 * @tasks: its table of task names, or NULL; no entry is to be trusted
 */
struct lkst_past {
	struct lkst_moment moment;
	u64 text;
	u8 uuid[LKST_UUID_SIZE];
	u32 damaged;
	u32 nr_tasks;
	struct lkst_task *tasks;
};

void lkst_past_free(struct lkst_past *past);
struct lkst_past *lkst_area_past(void);
bool lkst_area_recover(struct lkst_rings *rings);
bool lkst_area_find(const char *name, u32 packet, u32 nr_tasks);
u64 lkst_area_size(u64 *packet);
void lkst_area_clear(void);
struct lkst_ring *lkst_area_ring(unsigned int cpu);
void *lkst_area_packet(unsigned int cpu, u32 nr);
struct lkst_task *lkst_area_tasks(unsigned int entries);
void lkst_area_publish(const u8 *uuid);
void lkst_area_moment(void);
void lkst_area_withdraw(void);

/* clock.c */

u64 lkst_clock_hz(void);
const char *lkst_clock_kind_name(u32 clock);
const char *lkst_clock_name(void);
void lkst_clock_pair(u64 *clock, u64 *wall_ns);
void lkst_clock_moment(struct lkst_moment *moment);
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
bool lkst_is_running(void);
void lkst_irq_work(struct irq_work *work);
bool lkst_irq_work_left(u32 id, const u64 *payload);
int lkst_name_check(const char *name);
int lkst_input(const char *buf, size_t count, char *word, size_t size);
int lkst_input_bool(const char *buf, size_t count, bool *value);
int lkst_input_number(const char *text, u64 *value);
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

void lkst_build_id(u8 *id);
struct lkst_dirent *lkst_dir_add(u32 type, u32 cpu, u64 index, u64 pa, u64 size);
void lkst_dir_remove(struct lkst_dirent *dirent);
int lkst_crash_init_early(void);
void lkst_crash_init(void);

/* task.c */

unsigned int lkst_tasks_entries(unsigned int wanted);
void lkst_tasks_init(unsigned int entries);

/* proc.c */

int lkst_proc_init(void);
int lkst_proc_buffer_add(struct lkst_buffer *buffer);
void lkst_proc_wake(struct lkst_rings *rings);

/* trace.c */

extern const struct proc_ops lkst_trace_ops;

#endif /* _LKST_INTERNAL_H */
