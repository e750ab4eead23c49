/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group fs; see linux/lkst_events.h. */

LKST_EVENT(fs, open_entry, LKST_DFL,
	   "A file begins to be opened",
	   LKST_PROTO(int dfd, unsigned int flags, unsigned int mode, const char *path),
	   LKST_ARGS(dfd, flags, mode, path),
	   LKST_FIELDS(
		LKST_INT(s32, dfd, "",
			 "descriptor of the directory that the path begins in, -100 the current one",
			 dfd)
		LKST_INT(u32, flags, "hex", "O_* flags", flags)
		LKST_INT(u32, mode, "hex", "permissions of a file that is made", mode)
		LKST_TEXT(path, "path", path)))

LKST_EVENT(fs, open_exit, LKST_ANA,
	   "A file was opened, or not",
	   LKST_PROTO(int ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(s64, ret, "", "file descriptor, or -errno", ret)))

LKST_EVENT(fs, close_entry, LKST_ANA,
	   "A file descriptor begins to be closed",
	   LKST_PROTO(unsigned int fd),
	   LKST_ARGS(fd),
	   LKST_FIELDS(
		LKST_INT(s64, fd, "", "file descriptor", fd)))

LKST_EVENT(fs, close_exit, LKST_ANA,
	   "A file descriptor was closed",
	   LKST_PROTO(unsigned int fd, int ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, ret, "", "result, or -errno", ret)))

LKST_EVENT(fs, read_entry, LKST_ANA,
	   "Reading from a file begins",
	   LKST_PROTO(unsigned int fd, size_t size, unsigned long pieces),
	   LKST_ARGS(fd, size, pieces),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(u32, pieces, "", "pieces of memory, 0 for one of the size",
			 min(pieces, (unsigned long)U32_MAX))
		LKST_INT(u64, size, "bytes", "size asked for, 0 if it is in pieces", size)))

LKST_EVENT(fs, read_exit, LKST_ANA,
	   "Reading from a file ends",
	   LKST_PROTO(unsigned int fd, ssize_t ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, ret, "", "bytes, or -errno", ret)))

LKST_EVENT(fs, write_entry, LKST_ANA,
	   "Writing to a file begins",
	   LKST_PROTO(unsigned int fd, size_t size, unsigned long pieces),
	   LKST_ARGS(fd, size, pieces),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(u32, pieces, "", "pieces of memory, 0 for one of the size",
			 min(pieces, (unsigned long)U32_MAX))
		LKST_INT(u64, size, "bytes", "size asked for, 0 if it is in pieces", size)))

LKST_EVENT(fs, write_exit, LKST_ANA,
	   "Writing to a file ends",
	   LKST_PROTO(unsigned int fd, ssize_t ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, ret, "", "bytes, or -errno", ret)))

LKST_EVENT(fs, seek_entry, LKST_ANA,
	   "A file's position begins to be changed",
	   LKST_PROTO(unsigned int fd, loff_t offset, unsigned int whence),
	   LKST_ARGS(fd, offset, whence),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(u32, whence, "",
			 "from where: 0 the beginning, 1 the position, 2 the end, 3 data, 4 hole",
			 whence)
		LKST_INT(s64, offset, "bytes", "how far", offset)))

LKST_EVENT(fs, seek_exit, LKST_ANA,
	   "A file's position was changed",
	   LKST_PROTO(unsigned int fd, loff_t ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s64, fd, "", "file descriptor", fd)
		LKST_INT(s64, ret, "", "the position, or -errno", ret)))

LKST_EVENT(fs, ioctl_entry, LKST_ANA,
	   "A command to a device or file begins",
	   LKST_PROTO(unsigned int fd, unsigned int cmd, unsigned long arg),
	   LKST_ARGS(fd, cmd, arg),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(u32, cmd, "hex", "the command", cmd)
		LKST_INT(u64, argument, "hex", "its argument", arg)))

LKST_EVENT(fs, ioctl_exit, LKST_ANA,
	   "A command to a device or file ends",
	   LKST_PROTO(unsigned int fd, int ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, ret, "", "result, or -errno", ret)))

LKST_EVENT(fs, fsync_entry, LKST_ANA,
	   "A file begins to be written to its device",
	   LKST_PROTO(unsigned int fd, int datasync),
	   LKST_ARGS(fd, datasync),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(u32, datasync, "", "1 for its data only", datasync)))

LKST_EVENT(fs, fsync_exit, LKST_ANA,
	   "A file was written to its device",
	   LKST_PROTO(unsigned int fd), LKST_ARGS(fd),
	   LKST_FIELDS(
		LKST_INT(s64, fd, "", "file descriptor; syscall/exit has the result", fd)))

LKST_EVENT(fs, poll_entry, LKST_ANA,
	   "A wait for files by poll() begins",
	   LKST_PROTO(unsigned int nr, const struct timespec64 *until),
	   LKST_ARGS(nr, until),
	   LKST_FIELDS(
		LKST_INT(s64, until, "ns",
			 "CLOCK_MONOTONIC when the wait ends, 0 no wait, -1 no end",
			 lkst_until(until))
		LKST_INT(u64, nr, "", "descriptors", nr)))

LKST_EVENT(fs, poll_exit, LKST_ANA,
	   "A wait for files by poll() ends",
	   LKST_PROTO(int ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(s64, ret, "", "files that are ready, or -errno", ret)))

LKST_EVENT(fs, select_entry, LKST_ANA,
	   "A wait for files by select() begins",
	   LKST_PROTO(unsigned int nr, const struct timespec64 *until),
	   LKST_ARGS(nr, until),
	   LKST_FIELDS(
		LKST_INT(s64, until, "ns",
			 "CLOCK_MONOTONIC when the wait ends, 0 no wait, -1 no end",
			 lkst_until(until))
		LKST_INT(u64, nr, "", "highest descriptor + 1", nr)))

LKST_EVENT(fs, select_exit, LKST_ANA,
	   "A wait for files by select() ends",
	   LKST_PROTO(int ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(s64, ret, "", "files that are ready, or -errno", ret)))

LKST_EVENT(fs, epoll_wait_entry, LKST_ANA,
	   "A wait for files by epoll_wait() begins",
	   LKST_PROTO(int fd, int max, const struct timespec64 *until),
	   LKST_ARGS(fd, max, until),
	   LKST_FIELDS(
		LKST_INT(s64, until, "ns",
			 "CLOCK_MONOTONIC when the wait ends, 0 no wait, -1 no end",
			 lkst_until(until))
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, max, "", "files that it takes at most", max)))

LKST_EVENT(fs, epoll_wait_exit, LKST_ANA,
	   "A wait for files by epoll_wait() ends",
	   LKST_PROTO(int fd, int ret), LKST_ARGS(fd, ret),
	   LKST_FIELDS(
		LKST_INT(s32, fd, "", "file descriptor", fd)
		LKST_INT(s32, ret, "", "files that are ready, or -errno", ret)))
