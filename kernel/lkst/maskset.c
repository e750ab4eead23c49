// SPDX-License-Identifier: GPL-2.0
/*
 * Masksets: which handler runs for which event.
 *
 * /sys/kernel/lkst/enabled
 * /sys/kernel/lkst/masksets/create
 * /sys/kernel/lkst/masksets/remove
 * /sys/kernel/lkst/masksets/current
 * /sys/kernel/lkst/masksets/NAME/armed
 * /sys/kernel/lkst/masksets/NAME/syscalls
 * /sys/kernel/lkst/masksets/NAME/GROUP/EVENT
 * /sys/kernel/lkst/masksets/NAME/GROUP/all
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "lkst.h"
#include "match.h"
#include "ring.h"

/* What is in force while recording is stopped; it has no name and no files. */
struct lkst_maskset lkst_maskset_stopped;

/*
 * The set in force. Loaded by every hook; stored from any context, by a
 * compare-and-exchange, so that a switch under way never undoes a stop.
 */
struct lkst_maskset *lkst_maskset_now __read_mostly = &lkst_maskset_stopped;
/* For the one hook that modules have. */
EXPORT_SYMBOL_GPL(lkst_maskset_now);

/* While recording is stopped, the set that a start returns to. */
static struct lkst_maskset *maskset_kept;

/* Set by lkst_crash_stop(), for good. */
static bool crashed;

static LIST_HEAD(masksets);		/* lkst_lock */

/* Removed sets: see lkst_is_mapped(), for which their memory is never freed. */
static LIST_HEAD(spare_sets);
static DEFINE_SPINLOCK(spare_lock);
static struct kobject *masksets_dir;

#define to_maskset(k)	container_of(k, struct lkst_maskset, kobj)

static struct lkst_maskset builtin[] = {
	{ .builtin = true }, { .builtin = true }, { .builtin = true },
	{ .builtin = true }, { .builtin = true },
};

/* By index in builtin[]; the events of a set are those with one of these bits. */
static const struct {
	const char *name;
	unsigned int sets;
} builtin_sets[] = {
	{ "none", 0 },
	{ "default", LKST_OWN | LKST_DFL },
	{ "analysis", LKST_OWN | LKST_DFL | LKST_ANA },
	{ "locks", LKST_OWN | LKST_LCK },
	{ "all", LKST_OWN | LKST_DFL | LKST_ANA | LKST_ALL | LKST_LCK },
};

static_assert(ARRAY_SIZE(builtin) == ARRAY_SIZE(builtin_sets));

static bool is_syscall(unsigned int id)
{
	return id - LKST_EV_syscall_enter < LKST_SYSCALL_EVENTS;
}

/* The handler that @set maps @id to, or NULL. */
static struct lkst_handler *entry_get(const struct lkst_maskset *set, unsigned int id)
{
	struct lkst_handler *handler = READ_ONCE(set->handler[id]);

	if (handler != &lkst_syscall_filter)
		return handler;
	return READ_ONCE(set->syscalls->handler[id - LKST_EV_syscall_enter]);
}

/*
 * Context: lkst_lock held; or any, while @set maps the event and not set->listing.
 */
static void entry_set(struct lkst_maskset *set, unsigned int id,
		      struct lkst_handler *handler)
{
	struct lkst_syscalls *list = is_syscall(id) ? READ_ONCE(set->syscalls) : NULL;

	if (list) {
		WRITE_ONCE(list->handler[id - LKST_EV_syscall_enter], handler);
		if (handler)
			handler = &lkst_syscall_filter;
	}
	WRITE_ONCE(set->handler[id], handler);
}

/* Mark the handlers that @set maps; return whether any had not been. */
static bool set_reach(const struct lkst_maskset *set)
{
	bool more = false;
	unsigned int id;

	for (id = 0; id < LKST_NR_EVENTS; id++) {
		struct lkst_handler *handler = entry_get(set, id);

		if (!handler || handler->reached)
			continue;
		handler->reached = true;
		more = true;
	}
	return more;
}

/* Mark the sets whose hooks are to be on, and the handlers that can be hit. */
static void reach_update(void)
{
	/* Whoever switches meanwhile asks for this again; till then one of both is on. */
	const struct lkst_maskset *now = READ_ONCE(lkst_maskset_now);
	struct lkst_handler *handler;
	struct lkst_maskset *set;
	bool more;

	list_for_each_entry(handler, &lkst_handlers, list)
		handler->reached = false;
	list_for_each_entry(set, &masksets, list)
		WRITE_ONCE(set->reached, set->armed || set == now);
	do {
		more = false;
		list_for_each_entry(set, &masksets, list)
			if (set->reached)
				more |= set_reach(set);
		list_for_each_entry(handler, &lkst_handlers, list)
			if (handler->reached)
				more |= lkst_handler_reach(handler);
	} while (more);
}

/* Is @id mapped by a set whose hooks are to be on? */
static bool event_wanted(unsigned int id)
{
	const struct lkst_maskset *set;

	list_for_each_entry(set, &masksets, list)
		if (set->reached && READ_ONCE(set->handler[id]))
			return true;
	return false;
}

/**
 * lkst_keys_update() - Make every hook's static key what the armed sets say
 *
 * A key that changes is patched on all CPUs: see the admin guide for what that
 * costs.
 *
 * Context: process, may sleep, lkst_lock held.
 */
void lkst_keys_update(void)
{
	unsigned int id;

	lockdep_assert_held(&lkst_lock);
	smp_mb();	/* a store of armed; pairs with a switch's try_cmpxchg */
	reach_update();
	for (id = 0; id < LKST_NR_EVENTS; id++) {
		struct static_key_false *key = lkst_events[id].key;

		if (event_wanted(id))
			static_branch_enable(key);
		else
			static_branch_disable(key);
	}
}

static void keys_work(struct work_struct *work)
{
	mutex_lock(&lkst_lock);
	lkst_keys_update();
	mutex_unlock(&lkst_lock);
}

static DECLARE_WORK(update_work, keys_work);

static void keys_irq_work(struct irq_work *work)
{
	schedule_work(&update_work);
}

static DEFINE_IRQ_WORK(update_irq_work, keys_irq_work);

/**
 * lkst_maskset_chosen() - Which maskset is current
 *
 * Return: the set in force, or while recording is stopped the one that a start
 * returns to.
 */
struct lkst_maskset *lkst_maskset_chosen(void)
{
	struct lkst_maskset *set = READ_ONCE(lkst_maskset_now);

	return set == &lkst_maskset_stopped ? READ_ONCE(maskset_kept) : set;
}

/*
 * Tell dump readers which set is chosen, and whether it is in force. Switches, starts and
 * stops can nest here and race with those of other CPUs; whoever stores last looks again
 * after its store.
 */
static void state_update(void)
{
	struct lkst_maskset *set;
	bool on;

	do {
		on = lkst_enabled();
		set = lkst_maskset_chosen();
		memcpy(lkst_state->maskset, set->name, sizeof(set->name));
		WRITE_ONCE(lkst_state->enabled, on);
		smp_mb();	/* pairs with the full barrier of a switch's try_cmpxchg */
	} while (set != lkst_maskset_chosen() || on != lkst_enabled());
}

/**
 * lkst_records_switches() - Does a maskset record all switches of threads?
 * @set: the set
 *
 * Context: any, preemption off, or lkst_lock held.
 * Return: whether it does as it is now.
 */
bool lkst_records_switches(const struct lkst_maskset *set)
{
	const struct lkst_handler *handler = READ_ONCE(set->handler[LKST_EV_sched_switch]);

	return handler && READ_ONCE(handler->records);
}

NOKPROBE_SYMBOL(lkst_records_switches);

/**
 * lkst_switches_recorded() - Are all switches of threads recorded now?
 *
 * Context: any, preemption off, or lkst_lock held.
 * Return: whether the set in force, if there is one, does.
 */
bool lkst_switches_recorded(void)
{
	return lkst_records_switches(READ_ONCE(lkst_maskset_now));
}

NOKPROBE_SYMBOL(lkst_switches_recorded);

u32 lkst_ring_tid(void)
{
	return lkst_switches_recorded() ? current->pid : LKST_TID_UNKNOWN;
}

NOKPROBE_SYMBOL(lkst_ring_tid);

void lkst_maskset_switch(struct lkst_maskset *set)
{
	struct lkst_maskset *old;
	bool cease;

	/* What another context switches to meanwhile is not freed before the end. */
	preempt_disable_notrace();
	old = READ_ONCE(lkst_maskset_now);
	do {
		if (old == &lkst_maskset_stopped) {
			WRITE_ONCE(maskset_kept, set);
			smp_mb();	/* pairs with the one in recording_start() */
			old = READ_ONCE(lkst_maskset_now);
			if (old == &lkst_maskset_stopped)
				break;
		}
	} while (!try_cmpxchg(&lkst_maskset_now, &old, set));
	state_update();
	cease = lkst_records_switches(old) && !lkst_records_switches(set);
	preempt_enable_notrace();
	if (cease)
		lkst_threads_unknown(LKST_UNKNOWN_SWITCHES);
	/* Hooks of @set may be off, and those of the set before it of no more use. */
	if (old != set && old != &lkst_maskset_stopped)
		lkst_irq_work(&update_irq_work);
	lkst_lkst_maskset(set->name);
}
EXPORT_SYMBOL_GPL(lkst_maskset_switch);

/* entry_set() for a set that may be current. */
static void entry_change(struct lkst_maskset *set, unsigned int id,
			 struct lkst_handler *handler)
{
	bool cease;

	preempt_disable_notrace();
	cease = lkst_switches_recorded();
	entry_set(set, id, handler);
	cease &= !lkst_switches_recorded();
	preempt_enable_notrace();
	if (cease)
		lkst_threads_unknown(LKST_UNKNOWN_SWITCHES);
}

/* Run @change with the hooks of @set on, and only then turn off what is not used. */
static void maskset_change(struct lkst_maskset *set,
			   void (*change)(struct lkst_maskset *set))
{
	bool armed = set->armed;

	lockdep_assert_held(&lkst_lock);
	WRITE_ONCE(set->armed, true);
	lkst_keys_update();
	change(set);
	WRITE_ONCE(set->armed, armed);
	lkst_keys_update();
}

/**
 * lkst_enabled() - Is anything recorded?
 *
 * Return: false after a stop.
 */
bool lkst_enabled(void)
{
	return READ_ONCE(lkst_maskset_now) != &lkst_maskset_stopped;
}

/* A switch in any context may change the choice while this puts it in force. */
static void recording_start(struct lkst_maskset *set)
{
	struct lkst_maskset *kept = set, *old = &lkst_maskset_stopped;

	/* A full barrier, which pairs with the one in lkst_maskset_switch(). */
	if (!try_cmpxchg(&lkst_maskset_now, &old, set))
		return;
	do {
		old = kept;
		kept = READ_ONCE(maskset_kept);
	} while (kept != old && !try_cmpxchg(&lkst_maskset_now, &old, kept));
	smp_mb();	/* pairs with the one in lkst_crash_stop() */
	if (READ_ONCE(crashed)) {
		lkst_crash_stop();
		return;
	}
	state_update();
	/* In early boot no clock is right yet; lkst/clock follows. */
	if (system_state == SYSTEM_BOOTING) {
		lkst_lkst_start(0, 0, 0);
		return;
	}
	lkst_threads_unknown(LKST_UNKNOWN_START);
	lkst_lkst_start(ktime_get_real_fast_ns(), ktime_get_mono_fast_ns(), lkst_clock_hz());
}

/**
 * lkst_stop() - Stop recording
 *
 * Context: any, NMI included. Deferred work turns the hooks off.
 */
void lkst_stop(void)
{
	struct lkst_maskset *kept, *old;

	if (!lkst_enabled())
		return;
	lkst_lkst_stop(ktime_get_real_fast_ns());
	/* Another can have stopped meanwhile, and a third chosen what comes next. */
	do {
		kept = READ_ONCE(maskset_kept);
		smp_rmb();	/* pairs with the full barriers of these exchanges */
		old = READ_ONCE(lkst_maskset_now);
		if (old == &lkst_maskset_stopped)
			return;
	} while (!try_cmpxchg(&maskset_kept, &kept, old) ||
		 !try_cmpxchg(&lkst_maskset_now, &old, &lkst_maskset_stopped));
	state_update();
	lkst_irq_work(&update_irq_work);
}

/**
 * lkst_start() - Record again after lkst_stop()
 *
 * Context: any, NMI included. Hooks that are off, deferred work turns on.
 */
void lkst_start(void)
{
	if (lkst_enabled())
		return;
	recording_start(READ_ONCE(maskset_kept));
	lkst_irq_work(&update_irq_work);
}

/**
 * lkst_enable() - Start or stop recording
 * @on: which
 *
 * Context: process, lkst_lock held.
 */
void lkst_enable(bool on)
{
	lockdep_assert_held(&lkst_lock);
	if (on == lkst_enabled())
		return;
	if (on) {
		maskset_change(maskset_kept, recording_start);
		return;
	}
	preempt_disable();
	lkst_stop();
	preempt_enable();
	lkst_keys_update();
}

/**
 * lkst_pause() - Stop recording, and wait for what still records
 *
 * A trigger that was hit before may start again meanwhile; none is hit after.
 *
 * Context: process, may sleep, lkst_lock held.
 * Return: whether it was recording.
 */
bool lkst_pause(void)
{
	bool on = lkst_enabled();

	do {
		lkst_enable(false);
		lkst_synchronize();
	} while (lkst_enabled());
	return on;
}

void lkst_crash_stop(void)
{
	struct lkst_maskset *set = READ_ONCE(lkst_maskset_now);

	WRITE_ONCE(crashed, true);
	if (set != &lkst_maskset_stopped)
		WRITE_ONCE(maskset_kept, set);
	smp_mb();	/* pairs with the one in recording_start() */
	WRITE_ONCE(lkst_maskset_now, &lkst_maskset_stopped);
	if (lkst_state)
		WRITE_ONCE(lkst_state->enabled, 0);
}

static struct lkst_maskset *maskset_find(const char *name)
{
	struct lkst_maskset *set;

	lockdep_assert_held(&lkst_lock);
	list_for_each_entry(set, &masksets, list)
		if (!strcmp(set->name, name))
			return set;
	return NULL;
}

/**
 * lkst_maskset_ref() - What lkst_maskset_get() does, under lkst_lock
 * @name: the maskset's name
 *
 * Return: the maskset, or NULL.
 */
struct lkst_maskset *lkst_maskset_ref(const char *name)
{
	struct lkst_maskset *set = maskset_find(name);

	if (set)
		set->refs++;
	return set;
}

/**
 * lkst_maskset_unref() - What lkst_maskset_put() does, under lkst_lock
 * @set: from lkst_maskset_ref()
 */
void lkst_maskset_unref(struct lkst_maskset *set)
{
	lockdep_assert_held(&lkst_lock);
	set->refs--;
}

struct lkst_maskset *lkst_maskset_get(const char *name)
{
	struct lkst_maskset *set;

	mutex_lock(&lkst_lock);
	set = lkst_maskset_ref(name);
	mutex_unlock(&lkst_lock);
	return set;
}
EXPORT_SYMBOL_GPL(lkst_maskset_get);

void lkst_maskset_put(struct lkst_maskset *set)
{
	mutex_lock(&lkst_lock);
	lkst_maskset_unref(set);
	mutex_unlock(&lkst_lock);
}
EXPORT_SYMBOL_GPL(lkst_maskset_put);

/**
 * lkst_maskset_map() - Map an event of a maskset to another handler
 * @set: the maskset, which maps the event to a handler that runs
 * @id: number of the event
 * @handler: which, or NULL for none; something keeps it from being removed
 *
 * Context: any, NMI included.
 */
void lkst_maskset_map(struct lkst_maskset *set, u32 id, struct lkst_handler *handler)
{
	if (is_syscall(id) && READ_ONCE(set->listing))
		WRITE_ONCE(set->late[id - LKST_EV_syscall_enter], handler);
	else
		entry_change(set, id, handler);
	/* Hooks may be of no more use; or the handler may reach sets that were not. */
	lkst_irq_work(&update_irq_work);
}

/* Call @visit for each entry of each set until it returns true. */
static bool entries_walk(bool (*visit)(struct lkst_maskset *set, u32 id,
				       const void *data),
			 const void *data)
{
	struct lkst_maskset *set;
	unsigned int id;

	lockdep_assert_held(&lkst_lock);
	list_for_each_entry(set, &masksets, list)
		for (id = 0; id < LKST_NR_EVENTS; id++)
			if (visit(set, id, data))
				return true;
	return false;
}

static bool maps_handler(struct lkst_maskset *set, u32 id, const void *data)
{
	const struct lkst_handler *handler = data;

	if (entry_get(set, id) != handler)
		return false;
	pr_notice("handler %s is mapped to %s/%s in maskset %s\n", handler->name,
		  lkst_events[id].group, lkst_events[id].name, set->name);
	return true;
}

/**
 * lkst_handler_is_mapped() - Does a maskset map an event to a handler?
 * @handler: the handler
 *
 * Context: process, lkst_lock held.
 * Return: whether one does; a line in the kernel log says the first.
 */
bool lkst_handler_is_mapped(const struct lkst_handler *handler)
{
	return entries_walk(maps_handler, handler);
}

static bool unmap_handler(struct lkst_maskset *set, u32 id, const void *handler)
{
	if (entry_get(set, id) == handler)
		entry_set(set, id, NULL);
	return false;
}

/**
 * lkst_handler_unmap() - Map no event to a handler any more
 * @handler: the handler, which no action names
 *
 * Context: process, lkst_lock held.
 */
void lkst_handler_unmap(const struct lkst_handler *handler)
{
	entries_walk(unmap_handler, handler);
	lkst_keys_update();
}

/* What lkst_handler_fits() looks for. */
struct misfit {
	const struct lkst_handler *handler;
	const struct lkst_match *match;
};

static bool is_misfit(struct lkst_maskset *set, u32 id, const void *data)
{
	const struct misfit *misfit = data;

	if (entry_get(set, id) != misfit->handler || misfit->match->program[id])
		return false;
	pr_notice("handler %s is mapped to %s/%s, which does not have the fields of the condition\n",
		  misfit->handler->name, lkst_events[id].group, lkst_events[id].name);
	return true;
}

/**
 * lkst_handler_fits() - Can a condition be true of all that is mapped to a handler?
 * @handler: the handler
 * @match: the condition
 *
 * Context: process, lkst_lock held.
 * Return: 0 or -EINVAL, with a line in the kernel log.
 */
int lkst_handler_fits(const struct lkst_handler *handler, const struct lkst_match *match)
{
	const struct misfit misfit = { .handler = handler, .match = match };

	return entries_walk(is_misfit, &misfit) ? -EINVAL : 0;
}

/* An event's file in a maskset's directory; shared by all masksets. */
struct mask_attribute {
	struct kobj_attribute attr;
	unsigned int id;
};

static unsigned int attribute_event(struct kobj_attribute *attr)
{
	return container_of(attr, struct mask_attribute, attr)->id;
}

static const char *handler_name(const struct lkst_handler *handler)
{
	return handler ? handler->name : "none";
}

static ssize_t mask_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct lkst_handler *handler;
	ssize_t n;

	mutex_lock(&lkst_lock);
	handler = entry_get(to_maskset(kobj), attribute_event(attr));
	n = sysfs_emit(buf, "%s\n", handler_name(handler));
	mutex_unlock(&lkst_lock);
	return n;
}

/* One line an event, as `all` stands for a whole group. */
static ssize_t mask_all_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	unsigned int first = attribute_event(attr), i;
	const struct lkst_handler *handler;
	ssize_t n = 0;

	mutex_lock(&lkst_lock);
	for (i = first; i < first + lkst_group_size(first); i++) {
		handler = entry_get(to_maskset(kobj), i);
		n += sysfs_emit_at(buf, n, "%s %s\n", lkst_events[i].name,
				   handler_name(handler));
	}
	mutex_unlock(&lkst_lock);
	return n;
}

/* Can @handler be hit by each of @count events from @first on that has a hook? */
static int mask_check(const struct lkst_handler *handler, unsigned int first,
		      unsigned int count)
{
	unsigned int id;

	for (id = first; id < first + count; id++) {
		if (!lkst_events[id].sets && count == 1) {
			pr_notice("%s/%s has no hook\n", lkst_events[id].group,
				  lkst_events[id].name);
			return -EINVAL;
		}
		if (!handler || !lkst_events[id].sets ||
		    lkst_handler_matches(handler, id))
			continue;
		pr_notice("%s/%s does not have the fields of the condition of %s\n",
			  lkst_events[id].group, lkst_events[id].name, handler->name);
		return -EINVAL;
	}
	return 0;
}

static int builtin_refuse(const struct lkst_maskset *set)
{
	pr_notice("maskset %s is read-only: create a copy of it and change that\n",
		  set->name);
	return -EPERM;
}

/* Map @count events from @first on to the handler that @buf names. */
static ssize_t mask_write(struct lkst_maskset *set, unsigned int first,
			  unsigned int count, const char *buf, size_t size)
{
	struct lkst_handler *handler = NULL;
	char name[LKST_NAME_SIZE];
	unsigned int i;
	int err;

	err = lkst_input(buf, size, name, sizeof(name));
	if (err)
		return err;
	if (set->builtin)
		return builtin_refuse(set);
	mutex_lock(&lkst_lock);
	if (strcmp(name, "none")) {
		handler = lkst_handler_find(name);
		if (!handler) {
			pr_notice("there is no handler %s\n", name);
			err = -ENOENT;
		}
	}
	/* Gone while this write waited: nothing to change. */
	if (list_empty(&set->list))
		err = -ENODEV;
	if (!err)
		err = mask_check(handler, first, count);
	for (i = first; !err && i < first + count; i++)
		if (lkst_events[i].sets)
			entry_change(set, i, handler);
	lkst_keys_update();
	mutex_unlock(&lkst_lock);
	return err ?: size;
}

static ssize_t mask_store(struct kobject *kobj, struct kobj_attribute *attr,
			  const char *buf, size_t size)
{
	return mask_write(to_maskset(kobj), attribute_event(attr), 1, buf, size);
}

static ssize_t mask_all_store(struct kobject *kobj, struct kobj_attribute *attr,
			      const char *buf, size_t size)
{
	unsigned int first = attribute_event(attr);

	return mask_write(to_maskset(kobj), first, lkst_group_size(first), buf, size);
}

static ssize_t armed_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct lkst_maskset *set = to_maskset(kobj);

	return sysfs_emit(buf, "%d\n", READ_ONCE(set->armed) ||
			  set == lkst_maskset_chosen());
}

/* Must @set stay, and armed? Says why. lkst_lock is held. */
static bool maskset_is_busy(const struct lkst_maskset *set)
{
	bool current_one = set == lkst_maskset_chosen();

	if (current_one || set->refs)
		pr_notice("maskset %s is %s\n", set->name,
			  current_one ? "current" : "named by an action, or held by a module");
	return current_one || set->refs;
}

static ssize_t armed_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t size)
{
	struct lkst_maskset *set = to_maskset(kobj);
	bool on;
	int err;

	err = lkst_input_bool(buf, size, &on);
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	if (list_empty(&set->list)) {
		err = -ENODEV;
	} else if (!on && maskset_is_busy(set)) {
		err = -EBUSY;
	} else {
		WRITE_ONCE(set->armed, on);
		lkst_keys_update();
	}
	mutex_unlock(&lkst_lock);
	return err ?: size;
}

static ssize_t syscalls_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	const struct lkst_maskset *set = to_maskset(kobj);
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%s\n", set->syscalls ? set->syscalls->text : "all");
	mutex_unlock(&lkst_lock);
	return n;
}

/* Let @set be about the system calls of @list; nobody else changes its entries. */
static void syscalls_replace(struct lkst_maskset *set, struct lkst_syscalls *list)
{
	struct lkst_syscalls *old = set->syscalls;
	struct lkst_handler *handler;
	unsigned int id;

	for (id = LKST_EV_syscall_enter; is_syscall(id); id++) {
		handler = entry_get(set, id);
		if (list)
			list->handler[id - LKST_EV_syscall_enter] = handler;
		else
			WRITE_ONCE(set->handler[id], handler);
	}
	/* What runs the filter finds a list until all that may run it are done. */
	if (!list)
		lkst_synchronize();
	smp_store_release(&set->syscalls, list);	/* pairs with its READ_ONCE()s */
	for (id = LKST_EV_syscall_enter; list && is_syscall(id); id++)
		if (list->handler[id - LKST_EV_syscall_enter])
			WRITE_ONCE(set->handler[id], &lkst_syscall_filter);
	if (old)
		lkst_synchronize();
	kfree(old);
}

/*
 * Let @set be about the system calls of @list, or with NULL about all. A trigger that
 * has seen the list there was could put the filter where there is none any more, or
 * change a copy that is out of date. So what triggers map meanwhile is left for later,
 * where it is in force if nothing newer is.
 */
static void syscalls_set(struct lkst_maskset *set, struct lkst_syscalls *list)
{
	struct lkst_handler *was[LKST_SYSCALL_EVENTS], *late;
	unsigned int i;

	for (i = 0; i < LKST_SYSCALL_EVENTS; i++)
		WRITE_ONCE(set->late[i], &lkst_syscall_filter);
	smp_store_release(&set->listing, true);	/* pairs with its READ_ONCE() */
	lkst_synchronize();
	syscalls_replace(set, list);
	for (i = 0; i < LKST_SYSCALL_EVENTS; i++)
		was[i] = entry_get(set, LKST_EV_syscall_enter + i);
	WRITE_ONCE(set->listing, false);
	lkst_synchronize();
	for (i = 0; i < LKST_SYSCALL_EVENTS; i++) {
		late = READ_ONCE(set->late[i]);
		if (late != &lkst_syscall_filter &&
		    entry_get(set, LKST_EV_syscall_enter + i) == was[i])
			entry_set(set, LKST_EV_syscall_enter + i, late);
	}
	lkst_keys_update();
}

/* "all", or names with blanks between */
static ssize_t syscalls_store(struct kobject *kobj, struct kobj_attribute *attr,
			      const char *buf, size_t size)
{
	struct lkst_maskset *set = to_maskset(kobj);
	struct lkst_syscalls *list = NULL;
	char *text = kmalloc(PAGE_SIZE, GFP_KERNEL);
	int err = -ENOMEM;

	if (text)
		err = lkst_input(buf, size, text, PAGE_SIZE - 1);
	if (!err && set->builtin)
		err = builtin_refuse(set);
	if (!err && strcmp(text, "all"))
		err = lkst_syscalls_make(text, &list);
	kfree(text);
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	if (list_empty(&set->list))
		err = -ENODEV;
	else
		syscalls_set(set, list);
	mutex_unlock(&lkst_lock);
	if (err)
		kfree(list);
	return err ?: size;
}

static struct kobj_attribute syscalls_attr =
	__ATTR(syscalls, 0600, syscalls_show, syscalls_store);
static struct kobj_attribute armed_attr = __ATTR(armed, 0600, armed_show, armed_store);

static struct attribute *maskset_attrs[] = {
	&armed_attr.attr,
	&syscalls_attr.attr,
	NULL
};

static const struct attribute_group maskset_group = { .attrs = maskset_attrs };

/* maskset_group, then one group of files for each group of events, then NULL */
static const struct attribute_group **mask_groups;

/* The files of the group of events that begins with @first. */
static const struct attribute_group *mask_group_make(unsigned int first)
{
	unsigned int size = lkst_group_size(first), i;
	struct attribute_group *group = kzalloc(sizeof(*group), GFP_KERNEL);
	struct mask_attribute *files = kcalloc(size + 1, sizeof(*files), GFP_KERNEL);
	struct attribute **list = kcalloc(size + 2, sizeof(*list), GFP_KERNEL);

	if (!group || !files || !list)
		return NULL;
	for (i = 0; i <= size; i++) {
		files[i].attr.attr.mode = 0600;
		files[i].id = i < size ? first + i : first;
		files[i].attr.attr.name = i < size ? lkst_events[first + i].name : "all";
		files[i].attr.show = i < size ? mask_show : mask_all_show;
		files[i].attr.store = i < size ? mask_store : mask_all_store;
		sysfs_attr_init(&files[i].attr.attr);
		list[i] = &files[i].attr.attr;
	}
	group->name = lkst_events[first].group;
	group->attrs = list;
	return group;
}

static int __init mask_groups_make(void)
{
	unsigned int id, n = 0;

	mask_groups = kcalloc(LKST_NR_EVENTS + 2, sizeof(*mask_groups), GFP_KERNEL);
	if (!mask_groups)
		return -ENOMEM;
	mask_groups[n++] = &maskset_group;
	for_each_lkst_group(id) {
		mask_groups[n] = mask_group_make(id);
		if (!mask_groups[n++])
			return -ENOMEM;
	}
	return 0;
}

static struct lkst_maskset *maskset_alloc(void)
{
	struct lkst_maskset *set;

	spin_lock(&spare_lock);
	set = list_first_entry_or_null(&spare_sets, struct lkst_maskset, list);
	if (set)
		list_del(&set->list);
	spin_unlock(&spare_lock);
	if (!set)
		return kzalloc(sizeof(*set), GFP_KERNEL);
	memset(set, 0, sizeof(*set));
	return set;
}

static void maskset_release(struct kobject *kobj)
{
	struct lkst_maskset *set = to_maskset(kobj);

	if (set->builtin)
		return;
	kfree(set->syscalls);
	spin_lock(&spare_lock);
	list_add(&set->list, &spare_sets);
	spin_unlock(&spare_lock);
}

static const struct kobj_type maskset_type = {
	.release = maskset_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

/* Make the directory of a set that is not listed yet. */
static int maskset_add(struct lkst_maskset *set)
{
	int err = kobject_add(&set->kobj, masksets_dir, "%s", set->name);

	return err ?: sysfs_create_groups(&set->kobj, mask_groups);
}

static int maskset_fill(struct lkst_maskset *set, const char *name, const char *from)
{
	struct lkst_maskset *other = NULL;
	unsigned int id;
	int err;

	if (maskset_find(name))
		return -EEXIST;
	if (from) {
		other = maskset_find(from);
		if (!other) {
			pr_notice("there is no maskset %s\n", from);
			return -ENOENT;
		}
	}
	if (other && other->syscalls) {
		err = lkst_syscalls_make(other->syscalls->text, &set->syscalls);
		if (err)
			return err;
	}
	strscpy(set->name, name);
	for (id = 0; other && id < LKST_NR_EVENTS; id++)
		entry_set(set, id, entry_get(other, id));
	return 0;
}

static int maskset_create(const char *name, const char *from)
{
	struct lkst_maskset *set;
	int err;

	err = lkst_name_check(name);
	if (err)
		return err;
	set = maskset_alloc();
	if (!set)
		return -ENOMEM;
	kobject_init(&set->kobj, &maskset_type);
	INIT_LIST_HEAD(&set->list);
	mutex_lock(&lkst_lock);
	err = maskset_fill(set, name, from);
	mutex_unlock(&lkst_lock);
	/* Not under the lock: where it fails it waits for users of the files. */
	if (!err)
		err = maskset_add(set);
	if (err) {
		kobject_put(&set->kobj);
		return err;
	}
	mutex_lock(&lkst_lock);
	list_add_tail(&set->list, &masksets);
	mutex_unlock(&lkst_lock);
	return 0;
}

/* "NAME" or "NAME from OTHER" */
static ssize_t create_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	char line[2 * LKST_NAME_SIZE + 8], *rest = line, *name, *from;
	int err;

	err = lkst_input(buf, size, line, sizeof(line));
	if (err)
		return err;
	name = strsep(&rest, " ");
	from = strsep(&rest, " ");
	if (from && (strcmp(from, "from") || !rest || strchr(rest, ' '))) {
		pr_notice("masksets/create takes NAME or NAME from OTHER\n");
		return -EINVAL;
	}
	mutex_lock(&lkst_names);
	err = maskset_create(name, rest);
	mutex_unlock(&lkst_names);
	return err ?: size;
}

/* Unlink @set; its files go after the lock, as a writer may wait for that. */
static int maskset_unlink(struct lkst_maskset *set)
{
	if (!set)
		return -ENOENT;
	if (set->builtin)
		return -EPERM;
	if (maskset_is_busy(set))
		return -EBUSY;
	list_del_init(&set->list);
	lkst_keys_update();
	return 0;
}

static int maskset_remove(const char *name)
{
	struct lkst_maskset *set;
	int err;

	mutex_lock(&lkst_lock);
	set = maskset_find(name);
	err = maskset_unlink(set);
	mutex_unlock(&lkst_lock);
	if (err)
		return err;
	kobject_del(&set->kobj);
	lkst_synchronize();
	kobject_put(&set->kobj);
	return 0;
}

static ssize_t remove_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	return lkst_input_remove(buf, size, maskset_remove);
}

static ssize_t current_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%s\n", lkst_maskset_chosen()->name);
	mutex_unlock(&lkst_lock);
	return n;
}

static ssize_t current_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t size)
{
	char name[LKST_NAME_SIZE];
	struct lkst_maskset *set;
	int err;

	err = lkst_input(buf, size, name, sizeof(name));
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	set = maskset_find(name);
	if (set)
		maskset_change(set, lkst_maskset_switch);
	mutex_unlock(&lkst_lock);
	if (!set)
		pr_notice("there is no maskset %s\n", name);
	return set ? size : -ENOENT;
}

static ssize_t enabled_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%d\n", lkst_enabled());
}

static ssize_t enabled_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t size)
{
	bool on;
	int err;

	err = lkst_input_bool(buf, size, &on);
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	lkst_enable(on);
	mutex_unlock(&lkst_lock);
	return size;
}

static const struct kobj_attribute enabled_attr =
	__ATTR(enabled, 0600, enabled_show, enabled_store);
static struct kobj_attribute create_attr = __ATTR(create, 0200, NULL, create_store);
static struct kobj_attribute remove_attr = __ATTR(remove, 0200, NULL, remove_store);
/* Not by __ATTR(): `current` is a macro. */
static struct kobj_attribute current_attr = {
	.attr = { .name = "current", .mode = 0600 },
	.show = current_show,
	.store = current_store,
};

static struct attribute *dir_attrs[] = {
	&create_attr.attr,
	&remove_attr.attr,
	&current_attr.attr,
	NULL
};

static const struct attribute_group dir_group = { .attrs = dir_attrs };

/**
 * lkst_masksets_init_early() - Make the built-in sets, and choose the one to begin with
 * @name: which; "default" where that names none
 *
 * Context: boot, before anything else runs.
 * Return: 0, or -ENOENT when @name was not known.
 */
int __init lkst_masksets_init_early(const char *name)
{
	struct lkst_maskset *chosen = NULL;
	unsigned int i, id;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(builtin); i++) {
		struct lkst_maskset *set = &builtin[i];

		kobject_init(&set->kobj, &maskset_type);
		strscpy(set->name, builtin_sets[i].name);
		list_add_tail(&set->list, &masksets);
		for (id = 0; id < LKST_NR_EVENTS; id++)
			if (lkst_events[id].sets & builtin_sets[i].sets)
				set->handler[id] = &lkst_record;
		if (!strcmp(builtin_sets[i].name, name))
			chosen = set;
	}
	if (!chosen) {
		chosen = &builtin[1];
		err = -ENOENT;
	}
	maskset_kept = chosen;
	return err;
}

int __init lkst_masksets_init(struct kobject *root)
{
	unsigned int i;
	int err;

	masksets_dir = kobject_create_and_add("masksets", root);
	if (!masksets_dir)
		return -ENOMEM;
	err = mask_groups_make();
	if (!err)
		err = sysfs_create_group(masksets_dir, &dir_group);
	if (!err)
		err = sysfs_create_file(root, &enabled_attr.attr);
	for (i = 0; !err && i < ARRAY_SIZE(builtin); i++)
		err = maskset_add(&builtin[i]);
	return err;
}
