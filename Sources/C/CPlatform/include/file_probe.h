// A process that probes files and folders for its parent. A process with a thread inside a file system that never
// answers cannot be killed and would never end. So another process tries first.

#ifndef TPICK_FILE_PROBE_H
#define TPICK_FILE_PROBE_H

#include <stddef.h>
#include <sys/types.h>

// The longest request: its kind, a path and the terminator.
enum { FILE_PROBE_LONGEST = 4098 };

// What to probe, as the first byte of a request.
enum {
  // The status of the path.
  FILE_PROBE_STATUS = 's',
  // The names in a folder, or the first bytes of a file.
  FILE_PROBE_CONTENT = 'c',
  // Free space, which no file system answers from memory; of the nearest existing parent if the path does not
  // exist.
  FILE_PROBE_ROOM = 'r',
};

// Starts the process in its parent's working folder and in its own session. It has nothing open but its end of
// `socket`, which preserves message boundaries: each message is a kind and a path, and is answered by one byte,
// whatever the result. It ends when the parent's end is closed. Returns 0, or an errno value.
int file_probe_start(pid_t *process, int *socket);

#endif
