// SPDX-License-Identifier: GPL-2.0
/* The KUnit suite, in user space: KTAP. */
#include <kunit/test.h>

int main(void)
{
	struct kunit_case *each;
	unsigned int n = 0, bad = 0;

	for (each = kunit_suite->test_cases; each->run; each++)
		n++;
	printf("KTAP version 1\n1..%u\n", n);
	n = 0;
	for (each = kunit_suite->test_cases; each->run; each++) {
		struct kunit test = { };

		each->run(&test);
		while (test.nr_memory)
			free(test.memory[--test.nr_memory]);
		printf("%sok %u - %s\n", test.failed ? "not " : "", ++n, each->name);
		bad += !!test.failed;
	}
	return !!bad;
}
