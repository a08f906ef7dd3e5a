#define _GNU_SOURCE
#include "include/file_status.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static int64_t nanoseconds(struct statx_timestamp time) {
  int64_t seconds = time.tv_sec;
  // Dates that 64-bit nanoseconds cannot represent (before 1678, after 2261) are mistakes and clamped.
  if (seconds > 9000000000) seconds = 9000000000;
  if (seconds < -9000000000) seconds = -9000000000;
  return seconds * 1000000000 + time.tv_nsec;
}

static int status_of(int folder, const char *name, int flags, struct file_status *status) {
  struct statx found;
  if (statx(folder, name, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return errno;
  status->device = makedev(found.stx_dev_major, found.stx_dev_minor);
  status->inode = found.stx_ino;
  status->mode = found.stx_mode;
  status->link_count = found.stx_nlink;
  // File systems in user space may report any size.
  status->size = found.stx_size > INT64_MAX ? INT64_MAX : (int64_t)found.stx_size;
  status->modified = nanoseconds(found.stx_mtime);
  status->changed = nanoseconds(found.stx_ctime);
  status->born = (found.stx_mask & STATX_BTIME) ? nanoseconds(found.stx_btime) : 0;
  return 0;
}

int file_status_at(int folder, const char *name, int follows_links, struct file_status *status) {
  return status_of(folder, name, follows_links ? 0 : AT_SYMLINK_NOFOLLOW, status);
}

int file_status_of(int descriptor, struct file_status *status) {
  return status_of(descriptor, "", AT_EMPTY_PATH, status);
}
