// Escape attempts of a helper that a file has compromised.

#ifndef TPICK_ESCAPES_H
#define TPICK_ESCAPES_H

#include <stddef.h>
#include <sys/types.h>

// The objects that attempts act on.
struct surroundings {
  // A folder of the user's with files made for the attempts: to read, to change, to remove.
  const char *folder;
  const char *file;
  const char *spare;
  // A path where a file might be created.
  const char *fresh;
  // A listening socket in the folder, like the session bus, and an abstract one.
  const char *bus;
  const char *abstract_name;
  int port;
  // Another process of the user's, and the parent process.
  pid_t victim;
  pid_t parent;
  // The file and the memory for its picture, as tpick sends them.
  int input;
  int memory;
};

// One attempt.
struct escape {
  const char *name;
  // Returns the result of the call, or a negated errno.
  long (*attempt)(const struct surroundings *);
};

extern const struct escape file_escapes[], descriptor_escapes[], socket_escapes[], process_escapes[], kernel_escapes[];
extern const size_t file_escape_count, descriptor_escape_count, socket_escape_count, process_escape_count,
    kernel_escape_count;

// Creates the objects that the attempts act on.
// Returns false if one of them can't be created.
int surroundings_make(struct surroundings *, const char *folder);

// Converts a call's result to that of an attempt.
long outcome(long result);

#endif
