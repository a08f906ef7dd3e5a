// The environment of a child process.

#ifndef TPICK_CHILD_ENVIRONMENT_H
#define TPICK_CHILD_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_VARIABLES = 8 };

// Fills in the `NAME=value` entries to pass on, followed by NULL. A helper gets none: it needs none, and the
// environment may contain secrets, which hostile files must not reach. A program gets the paths of programs
// and libraries. Builds with assertions also pass on the variables of sanitizers and of
// Tests/Tools/mutation-test.
void child_environment(char *variables[CHILD_VARIABLES], bool is_program);

#endif
