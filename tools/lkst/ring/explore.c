// SPDX-License-Identifier: GPL-2.0
/*
 * Explore what can nest where: every schedule up to a depth, and random ones.
 *
 * A schedule is the list of choices made at the steps of a run. The next one is
 * the last with its last choice moved on, so nothing of a run needs to be kept.
 * What a run repeats of the one before it has been checked.
 *
 * usage: explore [-f] [-n SCHEDULES] GROUP...
 * -f goes deeper, -n says how many random schedules there are.
 * Exits with 0 when all is right, 1 when something was found.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world.h"

#define CHOICES_MAX	4096u

static struct {
	u8 choice[CHOICES_MAX];
	u8 alternatives[CHOICES_MAX];
	u32 used;		/* in this run */
	u32 repeated;		/* of them, as in the run before */
} plan;

static struct {
	bool on;
	u64 state;
	u32 one_in;		/* a step at which something happens */
	u32 burst;		/* happen at once, more of them */
	bool bursts;
} chance;

static struct {
	u64 setups, schedules, records, lost, steps;
	u32 longest;
} sum;

static bool deep;
static u64 random_schedules = 100000;

/* xorshift64*: the same everywhere */
static u32 draw(u32 below)
{
	chance.state ^= chance.state >> 12;
	chance.state ^= chance.state << 25;
	chance.state ^= chance.state >> 27;
	return (chance.state * 0x2545f4914f6cdd1dull >> 33) % below;
}

static u32 choose_by_chance(u32 alternatives)
{
	if (chance.burst) {
		chance.burst--;
		return 1 + draw(alternatives - 1);
	}
	if (draw(chance.one_in * (w.depth + 1)))
		return 0;
	chance.burst = chance.bursts ? draw(25) : 0;
	return 1 + draw(alternatives - 1);
}

u32 schedule_choose(u32 alternatives)
{
	u32 i = plan.used;

	if (alternatives < 2)
		return 0;
	if (chance.on)
		return choose_by_chance(alternatives);
	if (i == CHOICES_MAX)
		world_fail("too many choices");
	plan.used++;
	if (i < plan.repeated)
		return plan.choice[i];
	plan.choice[i] = 0;
	plan.alternatives[i] = alternatives;
	return 0;
}

/* The choice that is new in this run comes last of those that are given. */
bool schedule_repeats(void)
{
	return !chance.on && plan.used < plan.repeated;
}

/* Return: false when all schedules have been. */
static bool schedule_next(void)
{
	while (plan.used && plan.choice[plan.used - 1] + 1 >= plan.alternatives[plan.used - 1])
		plan.used--;
	if (!plan.used)
		return false;
	plan.choice[plan.used - 1]++;
	plan.repeated = plan.used;
	return true;
}

static void describe(void)
{
	printf("# ring: %u packets of %u words, from packet %#llx, %u laps, ",
	       setup->packets, setup->room, setup->first, setup->laps);
	printf("%u words in use, %s, %s clock", setup->fill,
	       setup->discard ? "discard" : "overwrite",
	       setup->fallback ? "fallback" : "TSC");
	if (setup->every)
		printf(", each %u of its readings %#llx later", setup->every, setup->jump);
	printf("\n");
}

/* Return: false when the run finds something; @again: and show how. */
static bool run_once(bool again)
{
	plan.used = 0;
	world_trace = again;
	world_restore();
	if (setjmp(world_failed)) {
		printf("# %s\n", world_failure);
		return false;
	}
	world_run();
	return true;
}

static void count_run(void)
{
	sum.schedules++;
	sum.records += w.reserved;
	sum.lost += w.lost;
	sum.steps += w.steps;
	if (w.steps > sum.longest)
		sum.longest = w.steps;
}

static void found(void)
{
	describe();
	run_once(true);
	exit(1);
}

static void build(const struct setup *with)
{
	plan.used = 0;
	plan.repeated = 0;
	world_trace = false;
	if (setjmp(world_failed)) {
		printf("# before any schedule: %s\n", world_failure);
		exit(1);
	}
	world_build(with);
	sum.setups++;
}

static void explore_all(const struct setup *with)
{
	build(with);
	do {
		if (!run_once(false))
			found();
		count_run();
	} while (schedule_next());
}

static const u64 firsts[] = { 0, 0xfffffffe, 0x7fffffff };

/* A packet has room for 7 words: what is left of it decides. */
static void explore_places(struct setup *s)
{
	for (s->fill = 0; s->fill <= s->room; s->fill++)
		for (s->top[0] = 1; s->top[0] <= 4; s->top[0]++)
			explore_all(s);
}

static const struct setup tiny = {
	.packets = 4, .room = 7, .laps = 1, .tops = 1, .lengths = 0x1e,
	.storm = true, .depth = 2,
};

/* Every kind of ring: modes, clocks, and where numbers wrap. */
static void explore_kinds(struct setup *s)
{
	static const u64 jumps[] = { 1, 0x7fffffff, 0xffffffff, 1ull << 32, 5ull << 32 };
	u32 i, j, kind;

	for (kind = 0; kind < 4; kind++)
		for (i = 0; i < 3; i++)
			for (j = 0; j < 5; j++) {
				s->discard = kind & 1;
				s->fallback = kind & 2;
				s->first = firsts[i];
				s->laps = (i + j) % 3;
				s->jump = jumps[j];
				explore_places(s);
			}
}

/* One writer nests, anywhere, in the first or the second of two. */
static void group_one(void)
{
	struct setup s = tiny;

	s.budget = 1;
	s.tops = 2;
	s.top[1] = 3;
	for (s.every = 1; s.every < 4; s.every++)
		if (deep || s.every == 2)
			explore_kinds(&s);
}

/* Two nest, in each other or one after the other. */
static void group_two(void)
{
	struct setup s = tiny;

	s.budget = 2;
	if (deep) {
		s.every = 2;
		explore_kinds(&s);
		return;
	}
	for (s.fill = 0; s.fill <= s.room; s.fill++) {
		s.top[0] = 3;
		explore_all(&s);
	}
	s.fallback = true;
	s.discard = true;
	s.first = 0xfffffffe;
	s.every = 2;
	s.jump = 1ull << 32;
	for (s.fill = 0; s.fill <= s.room; s.fill++) {
		s.top[0] = 1 + s.fill % 4;
		explore_all(&s);
	}
}

/* Three do, at the places where a packet is about to be full. */
static void group_three(void)
{
	struct setup s = tiny;

	s.budget = 3;
	s.lengths = deep ? 1 << 2 | 1 << 4 : 1 << 3;
	for (s.fill = 3; s.fill <= 7; s.fill += 2)
		for (s.top[0] = 2; s.top[0] <= 3; s.top[0]++)
			explore_all(&s);
}

/* Writers overtake a reader, at any of its steps. */
static void group_reader(void)
{
	struct setup s = tiny;
	u32 i;

	s.tops = 0;
	s.lengths = 1 << 1 | 1 << 4;
	s.budget = 2;
	for (i = 0; i < 3; i++) {
		s.first = firsts[i];
		for (s.laps = deep ? 0 : i; s.laps < 3; s.laps++)
			for (s.fill = 0; s.fill <= 7; s.fill += deep ? 1 : 4)
				explore_all(&s);
	}
}

/* Rings and loads of all kinds, from numbers that do not change. */
static void group_random(void)
{
	static const u64 jumps[] = { 1, 1, 0x7fffffff, 0xffffffff, 1ull << 32, 5ull << 32 };
	struct setup s;
	u64 n;

	chance.on = true;
	for (n = 1; n <= random_schedules; n++) {
		chance.state = n * 0x9e3779b97f4a7c15ull;
		s = tiny;
		s.packets = 4 << draw(2);
		s.room = 7 + draw(3) * draw(6);
		s.first = firsts[draw(3)] + draw(4);
		s.laps = draw(3);
		s.fill = draw(7);
		s.discard = !draw(3);
		s.fallback = !draw(3);
		s.every = draw(6);
		s.jump = jumps[draw(6)];
		s.tops = 2 + draw(10);
		s.top[0] = 1 + draw(4);
		s.top[1] = 1 + draw(4);
		s.depth = 1 + draw(3);
		s.budget = 5 + draw(55);
		chance.one_in = 3 + draw(3) * 20;
		chance.bursts = !draw(3);
		chance.burst = 0;
		build(&s);
		chance.state = n;
		if (!run_once(false)) {
			chance.state = n;
			chance.burst = 0;
			found();
		}
		count_run();
	}
	chance.on = false;
}

static const struct group {
	const char *name;
	void (*run)(void);
	const char *depth, *deeper;
} groups[] = {
	{ "one", group_one, "all with 1 nested", "all with 1 nested" },
	{ "two", group_two, "all with 2 nested", "all with 2 nested" },
	{ "three", group_three, "all with 3 nested, of one length",
	  "all with 3 nested, of two lengths" },
	{ "reader", group_reader, "all with a reader overtaken twice",
	  "all with a reader overtaken twice" },
	{ "random", group_random, "from fixed seeds", "from fixed seeds" },
};

/* A ring that leads nowhere is a finding too. */
static void on_crash(int signal)
{
	world_fail("signal %d", signal);
}

static void run_group(const struct group *group)
{
	memset(&sum, 0, sizeof(sum));
	group->run();
	printf("# %s: %s, %llu schedules of %llu rings, up to %u steps; ", group->name,
	       deep ? group->deeper : group->depth, sum.schedules, sum.setups, sum.longest);
	printf("%llu records reserved, %llu lost\n", sum.records, sum.lost);
}

static const struct group *find_group(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (!strcmp(name, groups[i].name))
			return &groups[i];
	fprintf(stderr, "explore: no group is called %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	struct sigaction crash = { .sa_handler = on_crash, .sa_flags = SA_NODEFER };
	int option;

	while ((option = getopt(argc, argv, "fn:")) != -1) {
		if (option == 'f')
			deep = true;
		else if (option == 'n')
			random_schedules = strtoull(optarg, NULL, 0);
		else
			return 2;
	}
	sigaction(SIGSEGV, &crash, NULL);
	for (; optind < argc; optind++)
		run_group(find_group(argv[optind]));
	return 0;
}
