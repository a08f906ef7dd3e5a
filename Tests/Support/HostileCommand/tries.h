// Escape attempts of a program in the sandbox.

#ifndef TPICK_TRIES_H
#define TPICK_TRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// What it knows about the outside, as if a user had revealed it.
struct outside {
  // A photo that was not granted, and its folder.
  const char *photo;
  const char *folder;
  // Folders and files of the user: the cache, the index, the home, a socket.
  const char *cache;
  const char *index;
  const char *home;
  const char *bus;
  // An abstract socket and a port with listeners.
  const char *abstract_name;
  int port;
  pid_t process;
  // The granted photo, and a writable folder.
  const char *granted;
  const char *writable;
};

// One try.
struct try {
  const char *name;
  // Returns 0 on success, else an errno.
  int (*attempt)(const struct outside *);
  // Whether it succeeds outside, where nothing prevents it, and does no harm there.
  bool is_control;
};

extern const struct try file_tries[], write_tries[], process_tries[], kernel_tries[], socket_tries[];
extern const size_t file_try_count, write_try_count, process_try_count, kernel_try_count, socket_try_count;

// 0 for a successful call, else its errno.
int result_of(long value);

// Tries to open a file: 0, or an errno.
int opened(const char *path, int flags);

// Tries made while the picker has the terminal: requests photos once for each try, and prints its name.
int run_screen_tries(void);

#endif
