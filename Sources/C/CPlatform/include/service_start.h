// Starts programs that serve this process and end with it, however it ends.

#ifndef TPICK_SERVICE_START_H
#define TPICK_SERVICE_START_H

#include <sys/types.h>

// Starts `program` with arguments and an environment in its own session (so that the terminal's signals do not
// reach it), with /dev/null as its standard input and output, and standard errors as its only other descriptor: a
// pipe whose read end `errors` receives, closed by an exec. `process` is a guard process in between. It ends with
// the program, and kills the program and all that it has started as soon as `lifeline` is closed: also when this
// process is killed, and when the program is a script that starts another one. Calls may come from any thread.
// Returns 0, or an errno value: that of execve(2) if the program cannot be executed.
int service_start(const char *program, char *const arguments[], char *const environment[], pid_t *process,
                  int *errors, int *lifeline);

#endif
