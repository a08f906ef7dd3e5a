// Landlock rules that deny the file system, ports and other processes (Linux
// Documentation/userspace-api/landlock.rst).

#ifndef TPICK_LANDLOCK_H
#define TPICK_LANDLOCK_H

#include <stddef.h>
#include <stdint.h>

// A file or folder that stays accessible, by an open descriptor; -1 is skipped.
struct kept_place {
  int descriptor;
  uint64_t rights;
};

// Rights to files, by their bits, which have not changed since the first version.
enum {
  RIGHT_EXECUTE = 1 << 0,
  RIGHT_WRITE_FILE = 1 << 1,
  RIGHT_READ_FILE = 1 << 2,
  RIGHT_READ_DIR = 1 << 3,
  RIGHT_TRUNCATE = 1 << 14,
};

// Denies every right that the running kernel knows, except those to `places`. Returns the ABI version in force; 0
// if there is none.
int32_t landlock_close(const struct kept_place *places, size_t count);

#endif
