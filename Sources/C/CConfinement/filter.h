// Filters of system calls (seccomp(2)), for all threads of the process and what it becomes.

#ifndef TPICK_FILTER_H
#define TPICK_FILTER_H

#include <stdbool.h>

// Allows what decoding takes, and refuses everything else with EPERM.
// Returns whether it is in force.
bool filter_decoder(bool has_threads);

// Refuses what reaches beyond a program's own files, and allows everything else.
// Returns whether it is in force.
bool filter_program(void);

#endif
