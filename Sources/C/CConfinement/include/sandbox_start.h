// Starts the program that creates a sandbox, in its own process group. Written in C because Swift cannot run
// between fork(2) and execve(2).

#ifndef TPICK_SANDBOX_START_H
#define TPICK_SANDBOX_START_H

#include <stdbool.h>
#include <sys/types.h>

// The program's descriptors besides the standard streams.
enum { SANDBOX_ARGUMENTS = 3, SANDBOX_FILTER = 4 };

struct sandbox_program {
  const char *program;
  char *const *arguments;
  char *const *environment;
  // Become SANDBOX_ARGUMENTS and SANDBOX_FILTER.
  int options;
  int filter;
  // The terminal whose foreground process group the new group becomes; -1 means none.
  int terminal;
  // The cgroup.procs file of a control group that the program enters; -1 means none. If entering fails, the program
  // runs outside of the group, which the parent has to check.
  int members;
  // Whether to deny abstract socket addresses, which belong to the network namespace (Landlock, from Linux 6.12; no
  // effect on older kernels).
  bool scopes_addresses;
};

// The program starts with SIGINT, SIGQUIT, SIGTERM and SIGHUP ignored; it must restore their defaults for the
// programs that it runs. Call from a process with one thread. Returns 0, or an errno value.
int sandbox_start(const struct sandbox_program *, pid_t *process);

#endif
