// What a program in the sandbox may try that wants out of it.

#ifndef TPICK_TRIES_H
#define TPICK_TRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// What it knows of the outside, as if a user had told it.
struct outside {
  // A photo that was not granted, and its folder.
  const char *photo;
  const char *folder;
  // Folders and files of the user: the cache, the index, the home, a socket.
  const char *cache;
  const char *index;
  const char *home;
  const char *bus;
  // A socket without a path, and a port, at which somebody listens.
  const char *abstract_name;
  int port;
  pid_t process;
  // The photo that was granted, and a folder that may be written into.
  const char *granted;
  const char *writable;
};

// One try.
struct try {
  const char *name;
  // Returns 0 where it worked, else an errno.
  int (*attempt)(const struct outside *);
  // Whether it works outside, where nothing stands against it, and does no harm there.
  bool is_control;
};

extern const struct try file_tries[], write_tries[], process_tries[], kernel_tries[], socket_tries[];
extern const size_t file_try_count, write_try_count, process_try_count, kernel_try_count, socket_try_count;

// 0 for a call that worked, else its errno.
int result_of(long value);

// Whether a file can be opened, with an errno for an answer.
int opened(const char *path, int flags);

// What is tried while the picker has the terminal: asks for photos once for each try, and says which it was.
int run_screen_tries(void);

#endif
