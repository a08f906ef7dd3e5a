// What a child process hears of the environment.

#ifndef TPICK_CHILD_ENVIRONMENT_H
#define TPICK_CHILD_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_VARIABLES = 8 };

// Fills in `NAME=value` of what is passed on, and NULL behind the last of them: nothing for a helper, which reads
// strangers' files and has no use for what else the user keeps there; for a program, where it finds programs and
// libraries. Builds with assertions pass on what sanitizers and Tests/Tools/mutation-test say.
void child_environment(char *variables[CHILD_VARIABLES], bool is_program);

#endif
