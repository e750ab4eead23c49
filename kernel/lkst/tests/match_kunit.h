/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of match.c: what conditions mean, and what is refused, where. */
#include <kunit/test.h>

/* One record of each event that conditions are tried on, as hook.c lays it out. */
static const u64 a_switch[] = {	/* prev_tid, next_tid, prev_state, prios */
	1 | (u64)(u32)-7 << 32,
	0x80000002 | (u64)120 << 32 | (u64)65535 << 48,
};

static const u64 a_signal[] = {	/* tid, code, sig, group, result */
	(u32)S32_MAX | (u64)(u32)S32_MIN << 32,
	9 | (u64)1 << 32 | (u64)0x8001 << 48,
};

static const u64 an_exit[] = {		/* tid, tgid, code */
	-1u | (u64)0 << 32,
	(u64)-256ll,
};

static const u64 a_mark[] = { U64_MAX, 1ull << 63 };	/* a, b */

static const u64 a_call[] = {		/* nr, compat, arg[6] */
	257, 0, 1, 2, 3, 4, 5,
};

static const union {
	struct {
		s32 tid, tgid;
		char comm[LKST_COMM_SIZE];
	} of;
	u64 words[3];
} a_rename = { { 5, 5, "kworker/1:0" } }, a_long_rename = { { 5, 5, "a name that is " } };

static const union {
	struct {
		s32 tid;
		u32 len;
		char text[16];
	} of;
	u64 words[3];
} a_panic = { { 3, 16, "Oops: \"x\" \\ y" } }, a_short_panic = { { 3, 8, "8 bytes." } },
	an_empty_panic = { { 3, 0, "x" } };

/**
 * struct truth - a condition that is true, or one that is not
 * @id: the event
 * @payload: its record
 * @text: the condition
 * @is: whether it is true
 */
struct truth {
	unsigned int id;
	const u64 *payload;
	const char *text;
	bool is;
};

static void truth_expect(struct kunit *test, const struct truth *truth)
{
	struct lkst_match *match;
	struct wrong wrong;
	int err = match_compile(truth->text, &match, &wrong);

	KUNIT_EXPECT_EQ_MSG(test, err, 0, "%s: character %u: %s", truth->text, wrong.at,
			    wrong.what);
	if (err)
		return;
	KUNIT_EXPECT_STREQ(test, match->text, truth->text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, match->program[truth->id], "%s", truth->text);
	if (match->program[truth->id])
		KUNIT_EXPECT_EQ_MSG(test, truth->is,
				    lkst_match_run(match->program[truth->id],
						   truth->payload),
				    "%s", truth->text);
	lkst_match_free(match);
}

#define TRUTHS_EXPECT(test, truths) do {				\
	int __i;							\
									\
	for (__i = 0; __i < ARRAY_SIZE(truths); __i++)			\
		truth_expect(test, &(truths)[__i]);			\
} while (0)

#define SWITCH	LKST_EV_sched_switch, a_switch
#define SIGNAL	LKST_EV_signal_generate, a_signal
#define EXIT	LKST_EV_process_exit, an_exit
#define MARK	LKST_EV_lkst_mark, a_mark
#define CALL	LKST_EV_syscall_args, a_call
#define RENAME	LKST_EV_process_rename, a_rename.words
#define PANIC	LKST_EV_kernel_panic, a_panic.words

/* && goes before ||, parentheses before both; T and F are a true and a false one. */
#define T "prev_tid == 1"
#define F "prev_tid == 2"

static const struct truth precedences[] = {
	{ SWITCH, T, true },
	{ SWITCH, F, false },
	{ SWITCH, T " && " T, true },
	{ SWITCH, T " && " F, false },
	{ SWITCH, F " && " T, false },
	{ SWITCH, F " || " T, true },
	{ SWITCH, T " || " F, true },
	{ SWITCH, F " || " F, false },
	{ SWITCH, T " || " T " && " F, true },
	{ SWITCH, "(" T " || " T ") && " F, false },
	{ SWITCH, F " && " T " || " T, true },
	{ SWITCH, F " && (" T " || " T ")", false },
	{ SWITCH, F " || " T " && " T, true },
	{ SWITCH, T " || " F " && " F " || " F, true },
	{ SWITCH, F " && " F " || " T " && " T, true },
	{ SWITCH, F " && " T " || " T " && " F, false },
	{ SWITCH, "(" F " || " T ") && (" T " || " F ")", true },
	{ SWITCH, "(" T " || " F ") && (" F " || " F ")", false },
	{ SWITCH, "(" T " && " F ") || (" F " || " T ")", true },
	{ SWITCH, F " && (" T " || (" T " && " T ")) || " F, false },
	{ SWITCH, F " && (" T " || (" T " && " T ")) || " T, true },
	{ SWITCH, T " && (" F " || (" T " && " F " || " T ")) && " T, true },
	{ SWITCH, "((((((((((((((((" T "))))))))))))))))", true },
	{ SWITCH, "\t (  " T " )\t&&( " T ")  ", true },
	{ SWITCH, "prev_tid==1&&prev_tid!=2||prev_tid<-3", true },
};

#undef T
#undef F

static void test_precedence(struct kunit *test)
{
	TRUTHS_EXPECT(test, precedences);
}

static const struct truth comparisons[] = {
	/* a signed number that is negative, in the upper half of its word */
	{ SWITCH, "next_tid == -7", true },
	{ SWITCH, "next_tid != -7", false },
	{ SWITCH, "next_tid < -6", true },
	{ SWITCH, "next_tid < -7", false },
	{ SWITCH, "next_tid < 0", true },
	{ SWITCH, "next_tid < 1", true },
	{ SWITCH, "next_tid <= -7", true },
	{ SWITCH, "next_tid <= -8", false },
	{ SWITCH, "next_tid > -8", true },
	{ SWITCH, "next_tid > -7", false },
	{ SWITCH, "next_tid > 0", false },
	{ SWITCH, "next_tid >= -7", true },
	{ SWITCH, "next_tid >= -6", false },
	{ SWITCH, "next_tid == 4294967289", false },
	{ SWITCH, "next_tid == 0xfffffff9", false },
	{ SWITCH, "next_tid == -0x7", true },
	{ SWITCH, "next_tid == -18", false },
	/* beside others in its word, an unsigned one with its highest bit set */
	{ SWITCH, "prev_state == 0x80000002", true },
	{ SWITCH, "prev_state == 2147483650", true },
	{ SWITCH, "prev_state > 0x7fffffff", true },
	{ SWITCH, "prev_state < 0x80000003", true },
	{ SWITCH, "prev_state < 0x80000002", false },
	{ SWITCH, "prev_state >= 0x80000002", true },
	{ SWITCH, "prev_state <= 0x80000001", false },
	{ SWITCH, "prev_state < 0", false },
	{ SWITCH, "prev_state == -2147483646", false },
	/* 16 bits, in the middle and at the top of the word */
	{ SWITCH, "prev_prio == 120", true },
	{ SWITCH, "prev_prio <= 119", false },
	{ SWITCH, "prev_prio >= 121", false },
	{ SWITCH, "prev_prio > 119 && prev_prio < 121", true },
	{ SWITCH, "next_prio == 65535", true },
	{ SWITCH, "next_prio == -1", false },
	{ SWITCH, "next_prio > 65534", true },
	{ SWITCH, "next_prio < 65535", false },
	/* the ends of the types */
	{ SIGNAL, "tid == 2147483647", true },
	{ SIGNAL, "tid > 2147483646", true },
	{ SIGNAL, "tid >= 2147483647", true },
	{ SIGNAL, "tid < 2147483647", false },
	{ SIGNAL, "tid <= 2147483647", true },
	{ SIGNAL, "code == -2147483648", true },
	{ SIGNAL, "code < -2147483647", true },
	{ SIGNAL, "code < -2147483648", false },
	{ SIGNAL, "code <= -2147483648", true },
	{ SIGNAL, "code > -2147483648", false },
	{ SIGNAL, "code >= -2147483648", true },
	{ EXIT, "tid == -1", true },
	{ EXIT, "tgid == 0", true },
	{ EXIT, "tgid == -0", true },
	{ EXIT, "tgid == 0x0000000000000000000", true },
	{ EXIT, "tgid < 0", false },
	{ EXIT, "code == -256", true },
	{ EXIT, "code < 0", true },
	{ EXIT, "code > 0xffffffff", false },
	{ EXIT, "code >= -9223372036854775808", true },
	{ EXIT, "code < -9223372036854775808", false },
	{ EXIT, "code == 18446744073709551360", false },
	{ MARK, "a == 18446744073709551615", true },
	{ MARK, "a == 0xFFFFffffFFFFffff", true },
	{ MARK, "a > 18446744073709551614", true },
	{ MARK, "a < 18446744073709551615", false },
	{ MARK, "a <= 18446744073709551615", true },
	{ MARK, "b == 0x8000000000000000", true },
	{ MARK, "b > 0x7fffffffffffffff", true },
	{ MARK, "b < 0x8000000000000000", false },
};

static void test_comparisons(struct kunit *test)
{
	TRUTHS_EXPECT(test, comparisons);
}

/* Numbers that the field cannot have. */
static const struct truth constants[] = {
	{ SWITCH, "prev_prio < 70000", true },
	{ SWITCH, "prev_prio <= 65536", true },
	{ SWITCH, "next_prio < 65536", true },
	{ SWITCH, "next_prio > 65536", false },
	{ SWITCH, "next_prio >= 65536", false },
	{ SWITCH, "next_prio == 131071", false },
	{ SWITCH, "next_prio != 131071", true },
	{ SWITCH, "prev_state > -1", true },
	{ SWITCH, "prev_state >= -1", true },
	{ SWITCH, "prev_state < -1", false },
	{ SWITCH, "prev_state <= -1", false },
	{ SWITCH, "prev_state != -1", true },
	{ SWITCH, "prev_state < 4294967296", true },
	{ SWITCH, "prev_state == 0x180000002", false },
	{ SWITCH, "next_tid < 2147483648", true },
	{ SWITCH, "next_tid > -2147483649", true },
	{ SWITCH, "next_tid < -2147483649", false },
	{ SWITCH, "next_tid == -4294967303", false },
	{ SWITCH, "next_tid < 0xffffffffffffffff", true },
	{ EXIT, "tid == 18446744073709551615", false },
	{ EXIT, "code < 9223372036854775808", true },
	{ EXIT, "code >= 9223372036854775808", false },
	{ MARK, "a == -1", false },
	{ MARK, "a != -1", true },
	{ MARK, "a > -1", true },
	{ MARK, "a < -1", false },
	{ MARK, "b == -9223372036854775808", false },
	/* others go on from what is decided beforehand */
	{ SWITCH, "prev_prio < 70000 && prev_tid == 1", true },
	{ SWITCH, "prev_prio < 70000 && prev_tid == 2", false },
	{ SWITCH, "prev_prio > 70000 || prev_tid == 1", true },
	{ SWITCH, "prev_prio > 70000 || prev_tid == 2", false },
};

static void test_constants(struct kunit *test)
{
	TRUTHS_EXPECT(test, constants);
}

/* Beyond a field, its number goes on with its sign. */
static const struct truth bits[] = {
	{ SWITCH, "prev_state & 2", true },
	{ SWITCH, "prev_state & 0x80000000", true },
	{ SWITCH, "prev_state & 0xc", false },
	{ SWITCH, "prev_state & 0x7ffffffd", false },
	{ SWITCH, "prev_state & 0xffffffff00000000", false },
	{ SWITCH, "prev_state & 0", false },
	{ SWITCH, "prev_state & -1", true },
	{ SWITCH, "prev_state & -4", true },
	{ SWITCH, "prev_state&0x2&&prev_tid&1", true },
	{ SWITCH, "prev_prio & 8", true },
	{ SWITCH, "prev_prio & 0xff87", false },
	{ SWITCH, "prev_prio & 0x10000", false },
	{ SWITCH, "next_prio & 0x10000", false },
	{ SWITCH, "next_tid & 6", false },
	{ SWITCH, "next_tid & 1", true },
	{ SWITCH, "next_tid & 0x80000000", true },
	{ SWITCH, "next_tid & 0x100000000", true },
	{ SWITCH, "next_tid & -9223372036854775808", true },
	{ SWITCH, "prev_tid & 0x100000000", false },
	{ SWITCH, "prev_tid & -2", false },
	{ EXIT, "code & 0xff", false },
	{ EXIT, "code & 0x8000000000000000", true },
	{ EXIT, "code & -1", true },
	{ MARK, "b & 0x7fffffffffffffff", false },
	{ MARK, "b & -1", true },
	{ MARK, "b & 0x8000000000000000", true },
};

static void test_bits(struct kunit *test)
{
	TRUTHS_EXPECT(test, bits);
}

static const struct truth arrays[] = {
	{ CALL, "nr == 257", true },
	{ CALL, "arg[0] == 0", true },
	{ CALL, "arg[5] == 5", true },
	{ CALL, "arg [ 0x3 ] == 3", true },
	{ CALL, "arg[4] < 4", false },
	{ CALL, "arg[1] == 1 && arg[2] == 2", true },
};

static void test_arrays(struct kunit *test)
{
	TRUTHS_EXPECT(test, arrays);
}

#define LONG_RENAME	LKST_EV_process_rename, a_long_rename.words
#define SHORT_PANIC	LKST_EV_kernel_panic, a_short_panic.words
#define EMPTY_PANIC	LKST_EV_kernel_panic, an_empty_panic.words

static const struct truth texts[] = {
	{ RENAME, "comm == \"kworker/1:0\"", true },
	{ RENAME, "comm != \"kworker/1:0\"", false },
	{ RENAME, "comm == \"kworker/1:\"", false },
	{ RENAME, "comm == \"kworker/1:00\"", false },
	{ RENAME, "comm == \"Kworker/1:0\"", false },
	{ RENAME, "comm == \"\"", false },
	{ RENAME, "comm != \"\"", true },
	{ RENAME, "comm ^= \"\"", true },
	{ RENAME, "comm ^= \"kworker/\"", true },
	{ RENAME, "comm^=\"kworker/1:0\"", true },
	{ RENAME, "comm ^= \"kworker/1:00\"", false },
	{ RENAME, "comm ^= \"worker\"", false },
	{ RENAME, "tid == 5 && comm ^= \"kworker/\" && tgid == 5", true },
	{ RENAME, "tid == 5 && comm ^= \"x\" || tgid == 6", false },
	{ RENAME, "comm == \"x\" || comm == \"kworker/1:0\"", true },
	{ LONG_RENAME, "comm == \"a name that is \"", true },
	{ LONG_RENAME, "comm ^= \"a name that is \"", true },
	{ LONG_RENAME, "comm == \"a name that is\"", false },
	/* no thread has a name of so many bytes */
	{ LONG_RENAME, "comm == \"a name that is l\"", false },
	{ LONG_RENAME, "comm ^= \"a name that is l\"", false },
	{ LONG_RENAME, "comm != \"a name that is lo\"", true },
	{ PANIC, "text == \"Oops: \\\"x\\\" \\\\ y\"", true },
	{ PANIC, "text ^= \"Oops: \\\"\"", true },
	{ PANIC, "text ^= \"Oops: \\\\\"", false },
	{ PANIC, "text == \"Oops\"", false },
	{ PANIC, "tid == 3 && text ^= \"Oops\"", true },
	/* a text that fills its words has no NUL */
	{ SHORT_PANIC, "text == \"8 bytes.\"", true },
	{ SHORT_PANIC, "text ^= \"8 bytes.\"", true },
	{ SHORT_PANIC, "text == \"8 bytes\"", false },
	{ SHORT_PANIC, "text ^= \"8 bytes. \"", false },
	{ EMPTY_PANIC, "text == \"\"", true },
	{ EMPTY_PANIC, "text ^= \"\"", true },
	{ EMPTY_PANIC, "text ^= \"x\"", false },
	{ EMPTY_PANIC, "text != \"x\"", true },
};

static void test_texts(struct kunit *test)
{
	TRUTHS_EXPECT(test, texts);
}

/* What a text says of its length is not believed. */
static void test_text_length(struct kunit *test)
{
	const size_t size = 8 + LKST_TEXT_MAX;
	struct truth truth = { LKST_EV_kernel_panic };
	char *text = kunit_kzalloc(test, LKST_MATCH_LENGTH + 1, GFP_KERNEL);
	u64 *payload = kunit_kzalloc(test, size, GFP_KERNEL);
	u32 *head = (u32 *)payload;

	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_ASSERT_NOT_NULL(test, payload);
	memset(payload + 1, 'x', LKST_TEXT_MAX);
	head[1] = U32_MAX;
	memcpy(text, "text == \"", 9);
	text[9 + LKST_TEXT_MAX] = '"';
	memset(text + 9, 'x', LKST_TEXT_MAX);
	truth.payload = payload;
	truth.text = text;
	truth.is = true;
	truth_expect(test, &truth);
	text[9 + LKST_TEXT_MAX - 1] = '"';
	text[9 + LKST_TEXT_MAX] = '\0';
	truth.is = false;
	truth_expect(test, &truth);
}

/* What is true of the thread that runs this, whatever the event is. */
static void test_current(struct kunit *test)
{
	static const char * const forms[] = {
		"current.tid == %lld", "current.tgid == %lld", "current.uid == %lld",
		"current.tid != %lld", "current.tgid < %lld", "current.uid > %lld",
		"current.tid >= %lld", "current.tgid <= %lld",
	};
	const s64 values[] = {
		current->pid, current->tgid, __kuid_val(current_uid()),
	};
	struct truth truth = { SWITCH };
	char text[64];
	int i;

	truth.text = text;
	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		snprintf(text, sizeof(text), forms[i], values[i % 3]);
		truth.is = i < 3 || i >= 6;
		truth_expect(test, &truth);
	}
	truth.is = true;
	snprintf(text, sizeof(text), "current.comm == \"%s\"", current->comm);
	truth_expect(test, &truth);
	snprintf(text, sizeof(text), "current.comm ^= \"%.3s\"", current->comm);
	truth_expect(test, &truth);
	truth.text = "current.cpu >= 0 && current.uid > -1 && prev_tid == 1";
	truth_expect(test, &truth);
	truth.is = false;
	truth.text = "current.cpu < 0 || current.cpu > 65536 || current.comm == \"?\"";
	truth_expect(test, &truth);
}

/* A condition is compiled for the events that have its fields, and no others. */
static void test_events(struct kunit *test)
{
	static const struct {
		const char *text;
		unsigned int in, not_in;
	} cases[] = {
		{ "prev_tid == 1", LKST_EV_sched_switch, LKST_EV_sched_wakeup },
		{ "tid == 1", LKST_EV_sched_wakeup, LKST_EV_sched_switch },
		{ "tid == 1 && prio == 2", LKST_EV_sched_wakeup, LKST_EV_process_exit },
		{ "error & 2", LKST_EV_exception_page_fault_entry, LKST_EV_irq_entry },
		{ "error & 2", LKST_EV_kernel_oops, LKST_EV_kernel_panic },
		{ "current.cpu == 0", LKST_EV_lkst_start, LKST_EV_lkst_unfinished },
		{ "current.cpu == 0", LKST_NR_EVENTS - 1, LKST_EV_lkst_unfinished },
		{ "len == 1 && current.tid == 1", LKST_EV_net_transmit,
		  LKST_EV_lkst_maskset },
	};
	struct lkst_match *match;
	struct wrong wrong;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_ASSERT_EQ_MSG(test, match_compile(cases[i].text, &match, &wrong), 0,
				    "%s", cases[i].text);
		KUNIT_EXPECT_NOT_NULL_MSG(test, match->program[cases[i].in], "%s",
					  cases[i].text);
		KUNIT_EXPECT_NULL_MSG(test, match->program[cases[i].not_in], "%s",
				      cases[i].text);
		lkst_match_free(match);
	}
}

/**
 * struct malformed - what is refused
 * @text: the condition; @ stands before the character that is wrong
 * @err: how
 */
struct malformed {
	const char *text;
	int err;
};

static const struct malformed malformed[] = {
	/* no comparison */
	{ "@", -EINVAL },
	{ "   @", -EINVAL },
	{ "@5 == 5", -EINVAL },
	{ "@== 5", -EINVAL },
	{ "@[0] == 5", -EINVAL },
	{ "@\"x\" == comm", -EINVAL },
	{ "@-tid == 5", -EINVAL },
	{ "@.tid == 5", -EINVAL },
	{ "@\ntid == 5", -EINVAL },
	{ "@!tid == 5", -EINVAL },
	{ "@!(tid == 5)", -EINVAL },
	{ "@&& tid == 5", -EINVAL },
	{ "@|| tid == 5", -EINVAL },
	{ "tid == 5 &&@", -EINVAL },
	{ "tid == 5 || @", -EINVAL },
	{ "tid == 5 && @&& tid == 6", -EINVAL },
	{ "tid == 5 &&@& tid == 6", -EINVAL },
	{ "tid == 5 ||@| tid == 6", -EINVAL },
	{ "tid == 5 && (tid == 6 || @)", -EINVAL },
	{ "@\xc3\xa9 == 5", -EINVAL },
	/* no operator */
	{ "tid@", -EINVAL },
	{ "tid @", -EINVAL },
	{ "tid @= 5", -EINVAL },
	{ "tid @=< 5", -EINVAL },
	{ "tid @! 5", -EINVAL },
	{ "tid @^ 5", -EINVAL },
	{ "tid @&& 5", -EINVAL },
	{ "tid @| 5", -EINVAL },
	{ "tid @~ 5", -EINVAL },
	{ "tid @5", -EINVAL },
	{ "tid @tid == 5", -EINVAL },
	{ "tid @(== 5)", -EINVAL },
	{ "(tid@) == 5", -EINVAL },
	{ "arg[0]@[0] == 5", -EINVAL },
	{ "arg@] == 5", -EINVAL },
	{ "tid@-1 == 5", -EINVAL },
	/* no value */
	{ "tid ==@", -EINVAL },
	{ "tid == @", -EINVAL },
	{ "tid ==@= 5", -EINVAL },
	{ "tid <@> 5", -EINVAL },
	{ "tid <@< 5", -EINVAL },
	{ "tid & @& 5", -EINVAL },
	{ "tid == @tid", -EINVAL },
	{ "tid == @(5)", -EINVAL },
	{ "tid == @+5", -EINVAL },
	{ "tid == @~5", -EINVAL },
	{ "comm == @init", -EINVAL },
	{ "comm == @'init'", -EINVAL },
	/* no number */
	{ "tid == -@", -EINVAL },
	{ "tid == -@ 5", -EINVAL },
	{ "tid == -@-5", -EINVAL },
	{ "tid == -@x5", -EINVAL },
	{ "tid == @010", -EINVAL },
	{ "tid == @00", -EINVAL },
	{ "tid == -@010", -EINVAL },
	{ "tid == 0x@", -EINVAL },
	{ "tid == 0x@g", -EINVAL },
	{ "tid == 0x@-5", -EINVAL },
	{ "tid == 0@X5", -EINVAL },
	{ "tid == 5@a", -EINVAL },
	{ "tid == 1@e6", -EINVAL },
	{ "tid == 1@_000", -EINVAL },
	{ "tid == 0x5@g", -EINVAL },
	{ "tid == 5@u || tid == 6", -EINVAL },
	/* no end */
	{ "tid == 5 @5", -EINVAL },
	{ "tid == 5@.0", -EINVAL },
	{ "tid == 5@;", -EINVAL },
	{ "tid == 5@\n", -EINVAL },
	{ "tid == 5 @tid == 6", -EINVAL },
	{ "tid == 5 @& tid == 6", -EINVAL },
	{ "tid == 5 @| tid == 6", -EINVAL },
	{ "tid == 5 @== 6", -EINVAL },
	{ "tid & 0x10 @== 0x10", -EINVAL },
	{ "tid == 5 @and tid == 6", -EINVAL },
	{ "tid == 5 @( tid == 6 )", -EINVAL },
	{ "comm == \"x\" @\"y\"", -EINVAL },
	{ "comm == \"x\"@y", -EINVAL },
	/* parentheses */
	{ "@(tid == 5", -EINVAL },
	{ "@((tid == 5)", -EINVAL },
	{ "(tid == 5) && @(tid == 5", -EINVAL },
	{ "tid == 5@)", -EINVAL },
	{ "(tid == 5) @)", -EINVAL },
	{ "(@)", -EINVAL },
	{ "(@", -EINVAL },
	{ "@)", -EINVAL },
	{ "(@5)", -EINVAL },
	/* indices */
	{ "arg[@] == 5", -EINVAL },
	{ "arg[@-1] == 5", -EINVAL },
	{ "arg[@x] == 5", -EINVAL },
	{ "arg[@01] == 5", -EINVAL },
	{ "arg[0x@] == 5", -EINVAL },
	{ "arg[1@a] == 5", -EINVAL },
	{ "arg[1 @1] == 5", -EINVAL },
	{ "arg[0 @== 5", -EINVAL },
	{ "arg[0@", -EINVAL },
	{ "@arg == 5", -EINVAL },
	{ "tid == 5 || tid[@0] == 5", -EINVAL },
	{ "comm[@0] == \"x\"", -EINVAL },
	{ "text[@0] == \"x\"", -EINVAL },
	{ "current.tid[@0] == 5", -EINVAL },
	{ "current.comm[@0] == \"x\"", -EINVAL },
	{ "arg[@6] == 5", -ERANGE },
	{ "arg[ @0x100000000] == 5", -ERANGE },
	{ "arg[@0xffffffffffffffff] == 5", -ERANGE },
	{ "arg[@18446744073709551616] == 5", -ERANGE },
	/* texts */
	{ "comm == @\"x", -EINVAL },
	{ "comm == @\"", -EINVAL },
	{ "comm == @\"x\\\"", -EINVAL },
	{ "comm == \"x@\\", -EINVAL },
	{ "comm == \"x@\\n\"", -EINVAL },
	{ "comm == \"x@\\x41\"", -EINVAL },
	{ "comm == \"@\tx\"", -EINVAL },
	{ "comm == \"x@\n\"", -EINVAL },
	{ "comm == \"@\x7f\"", -EINVAL },
	{ "comm == \"caf@\xc3\xa9\"", -EINVAL },
	/* types */
	{ "comm @< \"x\"", -EINVAL },
	{ "comm @<= \"x\"", -EINVAL },
	{ "comm @> \"x\"", -EINVAL },
	{ "comm @>= \"x\"", -EINVAL },
	{ "comm @& \"x\"", -EINVAL },
	{ "comm @^= 5", -EINVAL },
	{ "tid @^= 5", -EINVAL },
	{ "tid == @\"x\"", -EINVAL },
	{ "tid ^= @\"x\"", -EINVAL },
	{ "arg[0] == @\"x\"", -EINVAL },
	{ "comm == @5", -EINVAL },
	{ "text != @0", -EINVAL },
	{ "tid == 5 && comm == @5", -EINVAL },
	{ "current.tid == @\"x\"", -EINVAL },
	{ "current.comm == @5", -EINVAL },
	/* fields */
	{ "@nonesuch == 5", -ENOENT },
	{ "@Tid == 5", -ENOENT },
	{ "@ti == 5", -ENOENT },
	{ "@tid_ == 5", -ENOENT },
	{ "@tid.x == 5", -ENOENT },
	{ "@tid. == 5", -ENOENT },
	{ "@fill == \"x\"", -ENOENT },
	{ "@current == 5", -ENOENT },
	{ "@current. == 5", -ENOENT },
	{ "@current.pid == 5", -ENOENT },
	{ "@current.tidy == 5", -ENOENT },
	{ "current @.tid == 5", -EINVAL },
	{ "@nonesuch[7] == \"x\"", -ENOENT },
	{ "tid == 5 && @nonesuch == 5", -ENOENT },
	{ "(tid == 5 || @nonesuch == 5)", -ENOENT },
	{ "prev_tid == 5 && @irq == 3", -ENOENT },
	{ "tid == 5 && @address == 5 && nonesuch == 3", -ENOENT },
	/* numbers */
	{ "tid == @18446744073709551616", -ERANGE },
	{ "tid < @184467440737095516150", -ERANGE },
	{ "tid == @0x10000000000000000", -ERANGE },
	{ "tid == @-9223372036854775809", -ERANGE },
	{ "tid == @-0x8000000000000001", -ERANGE },
	{ "tid == @-18446744073709551616", -ERANGE },
	{ "tid & @99999999999999999999999999999999999999999999999999999", -ERANGE },
	{ "nonesuch == @18446744073709551616", -ERANGE },
};

static void malformed_expect(struct kunit *test, const char *marked, int err)
{
	size_t at = strchr(marked, '@') - marked;
	char *text = kunit_kzalloc(test, strlen(marked), GFP_KERNEL);
	struct lkst_match *match = ERR_PTR(-ENODATA);
	struct wrong wrong = { };

	KUNIT_ASSERT_NOT_NULL(test, text);
	memcpy(text, marked, at);
	memcpy(text + at, marked + at + 1, strlen(marked) - at);
	KUNIT_EXPECT_EQ_MSG(test, match_compile(text, &match, &wrong), err, "%s", marked);
	KUNIT_EXPECT_EQ_MSG(test, wrong.err, err, "%s", marked);
	KUNIT_EXPECT_EQ_MSG(test, wrong.at, at + 1, "%s", marked);
	KUNIT_EXPECT_NOT_NULL_MSG(test, wrong.what, "%s", marked);
	KUNIT_EXPECT_PTR_EQ(test, match, (struct lkst_match *)ERR_PTR(-ENODATA));
}

static void test_malformed(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(malformed); i++)
		malformed_expect(test, malformed[i].text, malformed[i].err);
}

/* @text, @count times, goes to @to. Return where the next one is to go. */
static char *repeat(char *to, unsigned int count, const char *text)
{
	size_t size = strlen(text);

	for (; count; count--) {
		memcpy(to, text, size + 1);
		to += size;
	}
	return to;
}

/* Each limit is reached, and then passed. */
static void test_limits(struct kunit *test)
{
	const unsigned int depth = LKST_MATCH_DEPTH, terms = LKST_MATCH_TERMS;
	char *text = kunit_kzalloc(test, LKST_MATCH_LENGTH + 3, GFP_KERNEL), *end;
	struct truth truth = { RENAME, text, true };

	KUNIT_ASSERT_NOT_NULL(test, text);
	end = repeat(text, terms - 1, "tid == 0 || ");
	repeat(end, 1, "tid == 5");
	truth_expect(test, &truth);
	repeat(end, 1, "tid == 0 || @tid == 5");
	malformed_expect(test, text, -E2BIG);

	end = repeat(text, depth, "(");
	repeat(repeat(end, 1, "tid == 5"), depth, ")");
	truth_expect(test, &truth);
	repeat(repeat(end, 1, "@(tid == 5)"), depth, ")");
	malformed_expect(test, text, -E2BIG);

	end = repeat(text, 1, "text != @\"");
	repeat(repeat(end, LKST_TEXT_MAX + 1, "x"), 1, "\"");
	malformed_expect(test, text, -E2BIG);

	end = repeat(text, 1, "tid == 5");
	end = repeat(end, LKST_MATCH_LENGTH - 8, " ");
	truth_expect(test, &truth);
	repeat(end, 1, "@ ");
	malformed_expect(test, text, -E2BIG);
}

/* Fields lie one after the other, whatever they are. */
static void test_layout(struct kunit *test)
{
	static const struct lkst_field fields[] = {
		{ .name = "a", .type = LKST_TYPE_u16, .count = 1 },
		{ .name = "b", .type = LKST_TYPE_u16, .count = 1 },
		{ .name = "c", .type = LKST_TYPE_s32, .count = 1 },
		{ .name = "d", .type = LKST_TYPE_NAME, .count = LKST_COMM_SIZE },
		{ .name = "e", .type = LKST_TYPE_u64, .count = 3 },
		{ .name = "f", .type = LKST_TYPE_s64, .count = 1 },
		{ .name = "g", .type = LKST_TYPE_u32, .count = 1 },
		{ .name = "h", .type = LKST_TYPE_TEXT, .count = LKST_TEXT_MAX },
	};
	static const unsigned int offsets[] = { 0, 2, 4, 8, 24, 48, 56, 60 };
	static const struct lkst_event event = {
		.nr_fields = ARRAY_SIZE(fields), .fields = fields,
	};
	struct compiler *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct comparison this = { .name_size = 1 };
	unsigned int offset;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		c->text = fields[i].name;
		KUNIT_EXPECT_PTR_EQ(test, field_find(c, &this, &event, &offset),
				    &fields[i]);
		KUNIT_EXPECT_EQ(test, offset, offsets[i]);
	}
}

/* An event that has nothing has no word that a program could load. */
static void test_table(struct kunit *test)
{
	unsigned int id;

	for (id = 0; id < LKST_NR_EVENTS; id++)
		KUNIT_EXPECT_GT(test, lkst_events[id].nr_fields, 0);
}

static struct kunit_case match_cases[] = {
	KUNIT_CASE(test_precedence),
	KUNIT_CASE(test_comparisons),
	KUNIT_CASE(test_constants),
	KUNIT_CASE(test_bits),
	KUNIT_CASE(test_arrays),
	KUNIT_CASE(test_texts),
	KUNIT_CASE(test_text_length),
	KUNIT_CASE(test_current),
	KUNIT_CASE(test_events),
	KUNIT_CASE(test_malformed),
	KUNIT_CASE(test_limits),
	KUNIT_CASE(test_layout),
	KUNIT_CASE(test_table),
	{}
};

static struct kunit_suite match_suite = {
	.name = "lkst_match",
	.test_cases = match_cases,
};

kunit_test_suite(match_suite);
