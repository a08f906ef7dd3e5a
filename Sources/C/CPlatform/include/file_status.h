#ifndef TPICK_FILE_STATUS_H
#define TPICK_FILE_STATUS_H

#include <stdint.h>

// What a scan asks of a file, in one system call. statx(2) is not in Swift's view of the C library.
struct file_status {
  uint64_t device;
  uint64_t inode;
  uint32_t mode;
  uint32_t link_count;
  int64_t size;
  // Nanoseconds since 1970-01-01 00:00:00 UTC.
  int64_t modified;
  // When anything of the file was changed last, its name and its rights among it: no program can set it.
  int64_t changed;
  // When the file came onto this file system; 0 where that is not recorded.
  int64_t born;
};

// The status of `name` seen from the folder `folder` (AT_FDCWD: the working folder), links followed or not.
// Returns 0, or an errno.
int file_status_at(int folder, const char *name, int follows_links, struct file_status *status);

// The status of an open file. Returns 0, or an errno.
int file_status_of(int descriptor, struct file_status *status);

#endif
