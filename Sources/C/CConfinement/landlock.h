// The file system, ports and other processes that a process gives up by Landlock (Linux
// Documentation/userspace-api/landlock.rst).

#ifndef TPICK_LANDLOCK_H
#define TPICK_LANDLOCK_H

#include <stddef.h>
#include <stdint.h>

// A file or folder that stays, by an open descriptor; -1 is left out.
struct kept_place {
  int descriptor;
  uint64_t rights;
};

// Rights to files that are written about, by their bits since the first version.
enum {
  RIGHT_EXECUTE = 1 << 0,
  RIGHT_WRITE_FILE = 1 << 1,
  RIGHT_READ_FILE = 1 << 2,
  RIGHT_READ_DIR = 1 << 3,
  RIGHT_TRUNCATE = 1 << 14,
};

// Gives up every right that the running kernel knows, but those to the places.
// Returns the version of Landlock that is in force; 0 where there is none.
int32_t landlock_close(const struct kept_place *places, size_t count);

#endif
