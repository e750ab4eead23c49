// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers: handlers that act when an event is hit.
 *
 * /sys/kernel/lkst/handlers/NAME/match
 * /sys/kernel/lkst/handlers/NAME/after
 * /sys/kernel/lkst/handlers/NAME/every
 * /sys/kernel/lkst/handlers/NAME/limit
 * /sys/kernel/lkst/handlers/NAME/ratelimit
 * /sys/kernel/lkst/handlers/NAME/action
 * /sys/kernel/lkst/handlers/NAME/then
 * /sys/kernel/lkst/handlers/NAME/seen
 * /sys/kernel/lkst/handlers/NAME/last
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/panic.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "lkst.h"
#include "match.h"

#define ACTIONS_MAX	16

enum action_kind {
	ACTION_MASKSET, ACTION_BUFFER, ACTION_HANDLER, ACTION_NOTIFY, ACTION_LOG,
	ACTION_STOP, ACTION_START, ACTION_PANIC
};

/**
 * struct action - what a trigger does when it fires
 * @kind: which it is
 * @records: for a buffer: this many records of the CPU later
 * @set: for a maskset: which, with a reference
 * @buffer: for a buffer: which, with a reference; NULL for the next one
 * @handler: for a handler: which, or NULL for none. lkst_handler_forget() may change it
 */
struct action {
	enum action_kind kind;
	u32 records;
	union {
		struct lkst_maskset *set;
		struct lkst_buffer *buffer;
		struct lkst_handler *handler;
	};
};

/**
 * struct conf - what a trigger was told; replaced as a whole
 * @match: the condition, or NULL
 * @after: number of the first hit that fires
 * @every: from then on only each of so many does
 * @limit: how often it fires at most, or 0
 * @rate: how often it fires in a second at most, or 0
 * @record: the event itself is recorded
 * @nr_actions: number of @action
 * @action: done in this order
 */
struct conf {
	struct lkst_match *match;
	u64 after;
	u64 every;
	u64 limit;
	u64 rate;
	bool record;
	unsigned int nr_actions;
	struct action action[ACTIONS_MAX];
};

/**
 * struct trigger - a handler that acts
 * @handler: what hooks and masksets know
 * @conf: stored with WRITE_ONCE() under lkst_lock
 * @seen: hits for which the condition was true
 * @window: second in which it fired last << 32 | how often it did in that
 */
struct trigger {
	struct lkst_handler handler;
	struct conf *conf;
	atomic64_t seen;
	atomic64_t window;
};

#define to_trigger(h)		container_of(h, struct trigger, handler)
#define kobj_to_trigger(k)	to_trigger(container_of(k, struct lkst_handler, kobj))

static void trigger_panic(const struct trigger *t)
{
	char why[LKST_NAME_SIZE + 32];

	snprintf(why, sizeof(why), "lkst: trigger %s", t->handler.name);
	/* Where there are none of the interrupted, any will do: they are copied. */
	if (in_nmi())
		nmi_panic(get_irq_regs() ?: task_pt_regs(current), why);
	else
		panic("%s", why);
}

/* A trigger whose condition asks for fields that the event lacks cannot have it. */
static void map_handler(struct lkst_maskset *set, u32 id, struct lkst_handler *handler)
{
	if (handler && handler->type == &lkst_trigger_type) {
		const struct lkst_match *match = READ_ONCE(to_trigger(handler)->conf)->match;

		if (match && !match->program[id])
			return;
	}
	lkst_maskset_map(set, id, handler);
}

NOKPROBE_SYMBOL(map_handler);

static void act(struct trigger *t, const struct action *action, struct lkst_maskset *set,
		u32 id)
{
	switch (action->kind) {
	case ACTION_MASKSET:
		lkst_maskset_switch(action->set);
		break;
	case ACTION_BUFFER:
		lkst_buffer_switch_after(action->buffer, action->records);
		break;
	case ACTION_HANDLER:
		map_handler(set, id, READ_ONCE(action->handler));
		break;
	case ACTION_NOTIFY:
		lkst_notice(&t->handler, LKST_NOTICE_POLL);
		break;
	case ACTION_LOG:
		lkst_notice(&t->handler, LKST_NOTICE_LOG);
		break;
	case ACTION_STOP:
		lkst_stop();
		break;
	case ACTION_START:
		lkst_start();
		break;
	case ACTION_PANIC:
		trigger_panic(t);
		break;
	}
}

NOKPROBE_SYMBOL(act);

/* Is there room for one more firing in this second? */
static bool rate_allows(struct trigger *t, u64 rate)
{
	u64 second = div_u64(ktime_get_mono_fast_ns(), NSEC_PER_SEC);
	s64 old = atomic64_read(&t->window), new;

	do {
		new = (u64)old >> 32 == (u32)second ? old + 1 : (s64)(second << 32 | 1);
		if ((u32)new > rate)
			return false;
	} while (!atomic64_try_cmpxchg(&t->window, &old, new));
	return true;
}

NOKPROBE_SYMBOL(rate_allows);

static bool is_due(const struct conf *conf, u64 seen)
{
	u64 first = conf->after ?: 1;

	if (seen < first)
		return false;
	return conf->every == 1 || !((seen - first) % conf->every);
}

NOKPROBE_SYMBOL(is_due);

static void fire(struct trigger *t, const struct conf *conf, struct lkst_maskset *set,
		 u32 id)
{
	unsigned int i;
	u64 nr;

	if (conf->rate && !rate_allows(t, conf->rate)) {
		atomic_long_inc(&t->handler.suppressed);
		return;
	}
	nr = lkst_firing_count(&t->handler, conf->limit);
	if (!nr)
		return;
	lkst_firing_note(&t->handler, nr, id);
	lkst_lkst_trigger(nr, id, t->handler.name);
	for (i = 0; i < conf->nr_actions; i++)
		act(t, &conf->action[i], set, id);
}

NOKPROBE_SYMBOL(fire);

/* @ours: what was hit belongs to the work that earlier firings left. */
static noinline void trigger_matched(struct trigger *t, const struct conf *conf,
				     struct lkst_maskset *set, u32 id, bool ours)
{
	u64 seen = atomic64_inc_return(&t->seen);

	if (!is_due(conf, seen))
		return;
	/* What this forbids is not counted, so it comes before what is. */
	if (conf->limit && (u64)atomic64_read(&t->handler.fired) >= conf->limit)
		return;
	if (ours) {
		atomic_long_inc(&t->handler.suppressed);
		return;
	}
	if (!lkst_act_begin(&t->handler))
		return;
	fire(t, conf, set, id);
	lkst_act_end();
}

NOKPROBE_SYMBOL(trigger_matched);

static void trigger_hit(struct lkst_handler *handler, struct lkst_maskset *set, u32 id,
			const u64 *payload, u32 words)
{
	struct trigger *t = to_trigger(handler);
	const struct conf *conf = READ_ONCE(t->conf);

	if (conf->record)
		lkst_record_payload(id, payload, words);
	if (conf->match) {
		const struct lkst_term *program = conf->match->program[id];

		if (!program || !lkst_match_run(program, payload))
			return;
	}
	trigger_matched(t, conf, set, id, lkst_irq_work_left(id, payload));
}

NOKPROBE_SYMBOL(trigger_hit);

/* Give back what the actions of @conf refer to; lkst_lock held, nothing uses them. */
static void actions_put(const struct conf *conf)
{
	unsigned int i;

	for (i = 0; i < conf->nr_actions; i++) {
		const struct action *action = &conf->action[i];

		if (action->kind == ACTION_MASKSET)
			lkst_maskset_unref(action->set);
		else if (action->kind == ACTION_BUFFER && action->buffer)
			lkst_buffer_unref(action->buffer);
	}
}

/* The words of one action. */
struct words {
	char *word[5];
	unsigned int nr;
};

static struct words words_split(char *text)
{
	struct words words = { };
	char *word;

	while ((word = strsep(&text, " ")))
		if (*word && words.nr < ARRAY_SIZE(words.word))
			words.word[words.nr++] = word;
	return words;
}

/* "buffer NAME|next [after K]", and "keep [NAME] [after K]" which is the same */
static int action_buffer_parse(struct action *action, struct words words)
{
	bool keep = !strcmp(words.word[0], "keep");
	const char *name = "next";
	unsigned int i = 1;
	u64 records = 0;
	int err;

	if (i < words.nr && !(keep && !strcmp(words.word[i], "after")))
		name = words.word[i++];
	else if (!keep)
		return -EINVAL;
	if (i < words.nr) {
		if (strcmp(words.word[i], "after") || i + 2 != words.nr)
			return -EINVAL;
		err = lkst_input_number(words.word[i + 1], &records);
		if (!err && records > U32_MAX)
			err = -ERANGE;
		if (err)
			return err;
	}
	action->records = records;
	action->kind = ACTION_BUFFER;
	if (!strcmp(name, "next"))
		return 0;
	action->buffer = lkst_buffer_ref(name);
	return action->buffer ? 0 : -ENOENT;
}

static int action_handler_parse(const struct trigger *t, struct action *action,
				const char *name)
{
	action->kind = ACTION_HANDLER;
	if (!strcmp(name, "none"))
		return 0;
	action->handler = lkst_handler_find(name);
	if (action->handler == &t->handler)
		return -EINVAL;
	return action->handler ? 0 : -ENOENT;
}

static int action_parse(const struct trigger *t, struct action *action, struct words words)
{
	static const struct {
		const char *name;
		enum action_kind kind;
	} plain[] = {
		{ "notify", ACTION_NOTIFY }, { "log", ACTION_LOG }, { "stop", ACTION_STOP },
		{ "start", ACTION_START }, { "panic", ACTION_PANIC },
	};
	unsigned int i;

	if (!words.nr)
		return -EINVAL;
	if (!strcmp(words.word[0], "buffer") || !strcmp(words.word[0], "keep"))
		return action_buffer_parse(action, words);
	for (i = 0; i < ARRAY_SIZE(plain) && words.nr == 1; i++) {
		if (strcmp(words.word[0], plain[i].name))
			continue;
		action->kind = plain[i].kind;
		return 0;
	}
	if (words.nr != 2)
		return -EINVAL;
	if (!strcmp(words.word[0], "handler"))
		return action_handler_parse(t, action, words.word[1]);
	if (strcmp(words.word[0], "maskset"))
		return -EINVAL;
	action->kind = ACTION_MASKSET;
	action->set = lkst_maskset_ref(words.word[1]);
	return action->set ? 0 : -ENOENT;
}

static const char *action_error(int err)
{
	switch (err) {
	case -ENOENT:
		return "there is none of that name";
	case -E2BIG:
		return "is one too many";
	case -ERANGE:
		return "the number is too large";
	default:
		return "is no action";
	}
}

/* "ACTION[; ACTION]..." or "none" */
static int action_change(const struct trigger *t, struct conf *conf, char *text)
{
	char *part;
	int err = 0;

	conf->nr_actions = 0;
	memset(conf->action, 0, sizeof(conf->action));
	if (!strcmp(text, "none"))
		return 0;
	while (!err && (part = strsep(&text, ";"))) {
		struct words words = words_split(part);

		err = conf->nr_actions == ACTIONS_MAX ? -E2BIG :
		      action_parse(t, &conf->action[conf->nr_actions], words);
		if (!err)
			conf->nr_actions++;
		else
			pr_notice("trigger %s: action %u, \"%s%s%s\": %s\n", t->handler.name,
				  conf->nr_actions + 1, words.nr ? words.word[0] : "",
				  words.nr > 1 ? " " : "", words.nr > 1 ? words.word[1] : "",
				  action_error(err));
	}
	if (err)
		actions_put(conf);
	return err;
}

static ssize_t action_emit(char *buf, ssize_t n, const struct action *action)
{
	static const char * const names[] = {
		[ACTION_MASKSET] = "maskset", [ACTION_BUFFER] = "buffer",
		[ACTION_HANDLER] = "handler", [ACTION_NOTIFY] = "notify",
		[ACTION_LOG] = "log", [ACTION_STOP] = "stop", [ACTION_START] = "start",
		[ACTION_PANIC] = "panic",
	};
	ssize_t from = n;

	n += sysfs_emit_at(buf, n, "%s", names[action->kind]);
	if (action->kind == ACTION_MASKSET)
		n += sysfs_emit_at(buf, n, " %s", action->set->name);
	if (action->kind == ACTION_BUFFER)
		n += sysfs_emit_at(buf, n, " %s", action->buffer ? action->buffer->name :
				   "next");
	if (action->kind == ACTION_BUFFER && action->records)
		n += sysfs_emit_at(buf, n, " after %u", action->records);
	if (action->kind == ACTION_HANDLER)
		n += sysfs_emit_at(buf, n, " %s", action->handler ? action->handler->name :
				   "none");
	return n - from;
}

static int match_change(const struct trigger *t, struct conf *conf, char *text)
{
	int err;

	conf->match = NULL;
	if (!strcmp(text, "none"))
		return 0;
	/* What fires, and how often, would tell what is recorded. */
	if (lkst_locked_down())
		return -EPERM;
	err = lkst_match_compile(text, &conf->match);
	if (err)
		return err;
	err = lkst_handler_fits(&t->handler, conf->match);
	if (err)
		lkst_match_free(conf->match);
	return err;
}

static int number_change(const struct kobj_attribute *attr, struct conf *conf,
			 const char *text)
{
	const char *name = attr->attr.name;
	u64 value;
	int err = lkst_input_number(text, &value);

	if (err)
		return err;
	if (!strcmp(name, "after"))
		conf->after = value;
	else if (!strcmp(name, "every"))
		conf->every = value ?: 1;
	else if (!strcmp(name, "limit"))
		conf->limit = value;
	else if (value <= U32_MAX)
		conf->rate = value;
	else
		err = -ERANGE;
	return err;
}

/* "record" or "none" */
static int then_change(struct conf *conf, const char *text)
{
	conf->record = !strcmp(text, "record");
	return conf->record || !strcmp(text, "none") ? 0 : -EINVAL;
}

/* What a write of @text to the file @attr makes of @conf. */
static int conf_change(const struct trigger *t, const struct kobj_attribute *attr,
		       struct conf *conf, char *text)
{
	if (!strcmp(attr->attr.name, "match"))
		return match_change(t, conf, text);
	if (!strcmp(attr->attr.name, "action"))
		return action_change(t, conf, text);
	if (!strcmp(attr->attr.name, "then"))
		return then_change(conf, text);
	return number_change(attr, conf, text);
}

/* Let @conf be in force; what only the one before it used is given back. */
static void conf_replace(struct trigger *t, const struct kobj_attribute *attr,
			 struct conf *conf)
{
	bool recorded = lkst_switches_recorded();
	struct conf *old = t->conf;

	WRITE_ONCE(t->conf, conf);
	WRITE_ONCE(t->handler.records, conf->record);
	if (recorded && !lkst_switches_recorded())
		lkst_threads_unknown(LKST_UNKNOWN_SWITCHES);
	/* What is recorded whatever the condition says must come to trigger_hit(). */
	WRITE_ONCE(t->handler.programs,
		   conf->match && !conf->record ? conf->match->program : NULL);
	lkst_keys_update();
	lkst_synchronize();
	if (!strcmp(attr->attr.name, "action"))
		actions_put(old);
	if (!strcmp(attr->attr.name, "match"))
		lkst_match_free(old->match);
	kfree(old);
}

static ssize_t conf_store(struct kobject *kobj, struct kobj_attribute *attr,
			  const char *buf, size_t size)
{
	struct trigger *t = kobj_to_trigger(kobj);
	struct conf *conf = NULL;
	char *text;
	int err;

	text = kmalloc(LKST_MATCH_LENGTH + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	err = lkst_input(buf, size, text, LKST_MATCH_LENGTH + 1);
	if (err)
		goto out;
	mutex_lock(&lkst_lock);
	conf = kmemdup(t->conf, sizeof(*conf), GFP_KERNEL);
	if (list_empty(&t->handler.list))
		err = -ENODEV;
	else
		err = conf ? conf_change(t, attr, conf, text) : -ENOMEM;
	if (!err)
		conf_replace(t, attr, conf);
	mutex_unlock(&lkst_lock);
	if (err)
		kfree(conf);
out:
	kfree(text);
	return err ?: size;
}

static ssize_t conf_emit(const struct conf *conf, const char *name, char *buf)
{
	unsigned int i;
	ssize_t n = 0;

	if (!strcmp(name, "match"))
		return sysfs_emit(buf, "%s\n", conf->match ? conf->match->text : "none");
	if (!strcmp(name, "after"))
		return sysfs_emit(buf, "%llu\n", conf->after);
	if (!strcmp(name, "every"))
		return sysfs_emit(buf, "%llu\n", conf->every);
	if (!strcmp(name, "limit"))
		return sysfs_emit(buf, "%llu\n", conf->limit);
	if (!strcmp(name, "ratelimit"))
		return sysfs_emit(buf, "%llu\n", conf->rate);
	if (!strcmp(name, "then"))
		return sysfs_emit(buf, "%s\n", conf->record ? "record" : "none");
	for (i = 0; i < conf->nr_actions; i++) {
		n += sysfs_emit_at(buf, n, "%s", i ? "; " : "");
		n += action_emit(buf, n, &conf->action[i]);
	}
	return n + sysfs_emit_at(buf, n, "%s\n", n ? "" : "none");
}

static ssize_t conf_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = conf_emit(kobj_to_trigger(kobj)->conf, attr->attr.name, buf);
	mutex_unlock(&lkst_lock);
	return n;
}

static ssize_t seen_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", atomic64_read(&kobj_to_trigger(kobj)->seen));
}

static ssize_t last_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return lkst_firing_show(&kobj_to_trigger(kobj)->handler, buf);
}

#define CONF_ATTR(_name)	__ATTR(_name, 0600, conf_show, conf_store)

static struct kobj_attribute trigger_files[] = {
	CONF_ATTR(match),
	CONF_ATTR(after),
	CONF_ATTR(every),
	CONF_ATTR(limit),
	CONF_ATTR(ratelimit),
	CONF_ATTR(action),
	CONF_ATTR(then),
	__ATTR(seen, 0400, seen_show, NULL),
	__ATTR(last, 0400, last_show, NULL),
};

static struct attribute *trigger_attrs[] = {
	&trigger_files[0].attr, &trigger_files[1].attr, &trigger_files[2].attr,
	&trigger_files[3].attr, &trigger_files[4].attr, &trigger_files[5].attr,
	&trigger_files[6].attr, &trigger_files[7].attr, &trigger_files[8].attr,
	NULL
};

static const struct attribute_group trigger_group = { .attrs = trigger_attrs };

static int trigger_init(struct lkst_handler *handler)
{
	struct trigger *t = to_trigger(handler);

	lkst_notice_init(handler);
	t->conf = kzalloc(sizeof(*t->conf), GFP_KERNEL);
	if (!t->conf)
		return -ENOMEM;
	t->conf->every = 1;
	t->conf->record = true;
	handler->records = true;
	return 0;
}

static void trigger_drop(struct lkst_handler *handler)
{
	struct trigger *t = to_trigger(handler);

	lkst_notice_drop(handler);
	if (!t->conf)
		return;
	mutex_lock(&lkst_lock);
	actions_put(t->conf);
	mutex_unlock(&lkst_lock);
	if (t->conf->match)
		lkst_match_free(t->conf->match);
}

static void trigger_release(struct lkst_handler *handler)
{
	kfree(to_trigger(handler)->conf);
}

static void trigger_rearm(struct lkst_handler *handler)
{
	struct trigger *t = to_trigger(handler);

	atomic64_set(&t->seen, 0);
	atomic64_set(&t->window, 0);
}

const struct lkst_handler_type lkst_trigger_type = {
	.name = "trigger",
	.size = sizeof(struct trigger),
	.hit = trigger_hit,
	.init = trigger_init,
	.added = lkst_notice_add,
	.drop = trigger_drop,
	.release = trigger_release,
	.rearm = trigger_rearm,
	.group = &trigger_group,
};

/* Call @visit for each action of each trigger until it returns true. */
static bool actions_walk(bool (*visit)(struct action *action, const void *data),
			 const void *data)
{
	struct lkst_handler *handler;
	unsigned int i;

	lockdep_assert_held(&lkst_lock);
	list_for_each_entry(handler, &lkst_handlers, list) {
		struct conf *conf;

		if (handler->type != &lkst_trigger_type)
			continue;
		conf = to_trigger(handler)->conf;
		for (i = 0; i < conf->nr_actions; i++)
			if (visit(&conf->action[i], data))
				return true;
	}
	return false;
}

static bool names_handler(struct action *action, const void *handler)
{
	return action->kind == ACTION_HANDLER && action->handler == handler;
}

/**
 * lkst_handler_is_named() - Does an action of a trigger name a handler?
 * @handler: the handler
 *
 * Context: process, lkst_lock held.
 * Return: whether one does; the kernel log says so.
 */
bool lkst_handler_is_named(const struct lkst_handler *handler)
{
	if (!actions_walk(names_handler, handler))
		return false;
	pr_notice("handler %s is named by an action\n", handler->name);
	return true;
}

static bool forget_handler(struct action *action, const void *handler)
{
	if (names_handler(action, handler))
		WRITE_ONCE(action->handler, NULL);
	return false;
}

/**
 * lkst_handler_forget() - Let all actions that name a handler name none
 * @handler: the handler
 *
 * Context: process, lkst_lock held. One that is under way may still map it, until
 * the next lkst_synchronize() is over.
 */
void lkst_handler_forget(const struct lkst_handler *handler)
{
	actions_walk(forget_handler, handler);
}

/**
 * lkst_handler_reach() - Mark what the actions of a handler can put in force
 * @handler: the handler
 *
 * Context: process, lkst_lock held.
 * Return: whether anything was marked that had not been.
 */
bool lkst_handler_reach(struct lkst_handler *handler)
{
	const struct conf *conf;
	bool more = false;
	unsigned int i;

	if (handler->type != &lkst_trigger_type)
		return false;
	conf = to_trigger(handler)->conf;
	for (i = 0; i < conf->nr_actions; i++) {
		const struct action *action = &conf->action[i];

		if (action->kind == ACTION_MASKSET && !action->set->reached) {
			WRITE_ONCE(action->set->reached, true);
			more = true;
		}
		if (action->kind == ACTION_HANDLER && action->handler &&
		    !action->handler->reached) {
			action->handler->reached = true;
			more = true;
		}
	}
	return more;
}

/**
 * lkst_handler_matches() - Can the condition of a handler be true of an event?
 * @handler: the handler
 * @id: number of the event
 *
 * Context: process, lkst_lock held.
 * Return: false when the event does not have the fields.
 */
bool lkst_handler_matches(const struct lkst_handler *handler, u32 id)
{
	const struct conf *conf;

	if (handler->type != &lkst_trigger_type)
		return true;
	conf = container_of(handler, const struct trigger, handler)->conf;
	return !conf->match || conf->match->program[id];
}
