// Starts the program that makes a sandbox, in a process group of its own. Between fork(2) and execve(2) Swift can't run.

#ifndef TPICK_SANDBOX_START_H
#define TPICK_SANDBOX_START_H

#include <stdbool.h>
#include <sys/types.h>

// The descriptors of the program besides the standard streams.
enum { SANDBOX_ARGUMENTS = 3, SANDBOX_FILTER = 4 };

struct sandbox_program {
  const char *program;
  char *const *arguments;
  char *const *environment;
  // They become SANDBOX_ARGUMENTS and SANDBOX_FILTER.
  int options;
  int filter;
  // Becomes that of the new group; -1 = none.
  int terminal;
  // The file of a control group that processes enter by being written to it (cgroup.procs); -1 = none. One that can't enter runs
  // outside of it, which its parent has to look for.
  int members;
  // Whether addresses of sockets without a path are to be out of reach, which are the network's (Landlock, from Linux
  // 6.12; nothing happens where the kernel has none).
  bool scopes_addresses;
};

// The program ignores the signals by which users end programs: what it runs must have them do again what they did.
// Called by a process with one thread. Returns 0, or an errno.
int sandbox_start(const struct sandbox_program *, pid_t *process);

#endif
