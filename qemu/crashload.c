// SPDX-License-Identifier: GPL-2.0
/*
 * crashload KERNEL INITRD COMMAND-LINE: load the capture kernel.
 *
 * The whole of what `kexec -p` is needed for here is one system call, so the
 * guest's root needs no kexec-tools.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_or_die(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4)
		errx(2, "usage: crashload KERNEL INITRD COMMAND-LINE");

	kernel = open_or_die(argv[1]);
	initrd = open_or_die(argv[2]);
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1,
		    argv[3], KEXEC_FILE_ON_CRASH))
		err(1, "kexec_file_load");
	return 0;
}
