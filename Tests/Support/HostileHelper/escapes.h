// What a helper may try that a file has taken over.

#ifndef TPICK_ESCAPES_H
#define TPICK_ESCAPES_H

#include <stddef.h>
#include <sys/types.h>

// What an attempt has at hand.
struct surroundings {
  // A folder of the user's, and in it files that are nobody else's: to read, to change, to remove.
  const char *folder;
  const char *file;
  const char *spare;
  // Where a file may come to lie.
  const char *fresh;
  // A socket in the folder that somebody listens at, as the session bus does, and one without a path.
  const char *bus;
  const char *abstract_name;
  int port;
  // Another process of the user's, and the one that started this.
  pid_t victim;
  pid_t parent;
  // The file and the memory for its picture, as tpick hands them over.
  int input;
  int memory;
};

// One attempt.
struct escape {
  const char *name;
  // Returns what the call gives, or an errno made negative.
  long (*attempt)(const struct surroundings *);
};

extern const struct escape file_escapes[], descriptor_escapes[], socket_escapes[], process_escapes[], kernel_escapes[];
extern const size_t file_escape_count, descriptor_escape_count, socket_escape_count, process_escape_count,
    kernel_escape_count;

// Makes what the attempts reach for.
// Returns false where something of it can't be made.
int surroundings_make(struct surroundings *, const char *folder);

// A call's result as attempts give it.
long outcome(long result);

#endif
