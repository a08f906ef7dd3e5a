// Starts programs that inherit only what they need.
//
// They are started from a thread that lives as long as the process, so that they can ask to be killed with their
// parent.

#ifndef TPICK_HELPER_START_H
#define TPICK_HELPER_START_H

#include <sys/types.h>

// Starts `program` in its own session (so that the terminal's signals do not reach it), with a stream socket as its
// standard input, /dev/null as its output and errors, no other descriptor and no environment. `socket` receives the
// parent's end, closed by an exec. Returns 0, or an errno value.
int helper_start(const char *program, pid_t *process, int *socket);

// Starts `program` with arguments and the environment it needs, in its own process group, with /dev/null as its
// standard input, `input` and `output` as its descriptors 3 and 4 (-1 means none). Its standard output and errors
// both go into a pipe, whose read end `words` receives, closed by an exec; it has no other descriptors. Returns 0,
// or an errno value.
int program_start(const char *program, char *const arguments[], int input, int output, pid_t *process, int *words);

#endif
