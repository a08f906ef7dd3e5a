// A process that asks files and folders on its parent's behalf. One that a file system never answers can't be killed,
// and neither can a process that has such a thread: it would never end. So somebody else asks first.

#ifndef TPICK_FILE_PROBE_H
#define TPICK_FILE_PROBE_H

#include <stddef.h>
#include <sys/types.h>

// The longest question: its kind, a path and its end.
enum { FILE_PROBE_LONGEST = 4098 };

// What is asked about a path, as the first byte of a question.
enum {
  // What there is.
  FILE_PROBE_STATUS = 's',
  // The names in a folder, or the first bytes of a file.
  FILE_PROBE_CONTENT = 'c',
  // How much room there is, which no file system tells from memory; where nothing is at the path, above it.
  FILE_PROBE_ROOM = 'r',
};

// Starts the process, in the working folder of its parent, in a session of its own. It has nothing open but its end of
// `socket`, whose messages keep their bounds: each is a kind and a path, and answered by one byte, whatever was found.
// It ends when the parent's end is closed.
// Returns 0, or an errno.
int file_probe_start(pid_t *process, int *socket);

#endif
