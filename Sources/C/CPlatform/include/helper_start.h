// Starts programs that inherit what they are to have and nothing else.
//
// They are started from a thread that lives as long as the process: so they may ask to be ended with their parent.

#ifndef TPICK_HELPER_START_H
#define TPICK_HELPER_START_H

#include <sys/types.h>

// Starts `program` in a session of its own (so that the terminal's signals pass it by), with a stream socket
// as its standard input, /dev/null as its output and errors, no other descriptor and no environment. `socket` becomes the
// parent's end, closed by an exec.
// Returns 0, or an errno.
int helper_start(const char *program, pid_t *process, int *socket);

// Starts `program` with arguments, and what it needs of the environment, in a process group of its own, with /dev/null as its standard input, `input` and
// `output` as its descriptors 3 and 4 (-1: there is none), and no other one but what it writes to standard output and
// errors: both go into the pipe whose end `words` becomes, closed by an exec.
// Returns 0, or an errno.
int program_start(const char *program, char *const arguments[], int input, int output, pid_t *process, int *words);

#endif
