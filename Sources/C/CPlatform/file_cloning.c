#define _GNU_SOURCE
#include "include/file_cloning.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int file_open_unnamed(int folder, unsigned mode) {
  // Without /proc the file could not be given a name later.
  if (access("/proc/self/fd", X_OK) != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

// Naming the descriptor directly needs a privilege that users lack, so it is linked through /proc (open(2)).
int file_name_unnamed(int descriptor, int folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

int file_lacks_call(int error) {
  switch (error) {
  case EINVAL:
  case ENOSYS:
  case EOPNOTSUPP:
  case EPERM:
  case EIO:
  case EMLINK:
    return 1;
  default:
    return 0;
  }
}

int file_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
  if (renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (!file_lacks_call(errno)) return -1;
  // Network file systems lack RENAME_NOREPLACE but have links.
  if (linkat(from_folder, from, to_folder, to, 0) == 0) {
    unlinkat(from_folder, from, 0);
    return 1;
  }
  if (!file_lacks_call(errno)) return -1;
  // Some lack links too: reserve the name with an empty file, which only one process can create.
  int claim = openat(to_folder, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (claim < 0) return -1;
  close(claim);
  if (renameat(from_folder, from, to_folder, to) == 0) return 0;
  int error = errno;
  unlinkat(to_folder, to, 0);
  errno = error;
  return -1;
}

int file_move(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int file_system_flush(int folder) {
  struct statfs facts;
  if (fstatfs(folder, &facts) != 0) return -1;
  if (facts.f_type == FUSE_SUPER_MAGIC) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return syncfs(folder);
}

void file_announce(int folder, const char *name) {
  int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file >= 0) close(file);
}

int file_clone(int source, int target) { return ioctl(target, FICLONE, source); }
