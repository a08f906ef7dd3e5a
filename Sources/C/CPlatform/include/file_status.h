#ifndef TPICK_FILE_STATUS_H
#define TPICK_FILE_STATUS_H

#include <stdint.h>

// What a scan needs to know of a file, in one system call. Swift's C library module lacks statx(2).
struct file_status {
  uint64_t device;
  uint64_t inode;
  uint32_t mode;
  uint32_t link_count;
  int64_t size;
  // Nanoseconds since 1970-01-01 00:00:00 UTC.
  int64_t modified;
  // Time of the last change of anything about the file, including its name and permissions; no program can set it.
  int64_t changed;
  // When the file was created on this file system; 0 if that is not recorded.
  int64_t born;
};

// Reads the status of `name` relative to `folder` (AT_FDCWD: the working folder). Returns 0, or an errno value.
int file_status_at(int folder, const char *name, int follows_links, struct file_status *status);

// Reads the status of an open file. Returns 0, or an errno value.
int file_status_of(int descriptor, struct file_status *status);

#endif
