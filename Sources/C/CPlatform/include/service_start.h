// Starts programs that serve this process, and end with it however it ends.

#ifndef TPICK_SERVICE_START_H
#define TPICK_SERVICE_START_H

#include <sys/types.h>

// Starts `program` with arguments and an environment in a session of its own (so that the terminal's signals pass it by), with /dev/null as its
// standard input and output, and no other descriptor but its standard errors: a pipe whose other end `errors` becomes,
// closed by an exec. `process` is one between, which ends with the program, and ends it, with all that it has started, as
// soon as `lifeline` is closed: also when this process is killed, and where the program is a script that starts another one.
// Calls may come from any thread. Returns 0, or an errno: that of execve(2) where the program can't be run.
int service_start(const char *program, char *const arguments[], char *const environment[], pid_t *process,
                  int *errors, int *lifeline);

#endif
