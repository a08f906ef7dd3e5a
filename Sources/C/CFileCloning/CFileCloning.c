#define _GNU_SOURCE
#include "CFileCloning.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open_unnamed(int folder, unsigned mode) {
  // Where it could not get its name later, it is of no use.
  if (access("/proc/self/fd", X_OK) != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

// Without a right that users don't have, the descriptor itself is named by its link in /proc: open(2).
int file_name_unnamed(int descriptor, int folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

int file_rename_new(int folder, const char *from, const char *to) {
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  // File systems over a network have no such renaming, but links.
  if (linkat(folder, from, folder, to, 0) != 0) return -1;
  unlinkat(folder, from, 0);
  return 0;
}

int file_clone(int source, int target) { return ioctl(target, FICLONE, source); }
