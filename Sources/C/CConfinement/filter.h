// System call filters (seccomp(2)) for all threads of the process and for the programs it executes.

#ifndef TPICK_FILTER_H
#define TPICK_FILTER_H

#include <stdbool.h>

// Allows the calls that decoding needs and refuses all others with EPERM. Returns whether the filter is in force.
bool filter_decoder(bool has_threads);

// Refuses calls that reach beyond a program's own files and allows all others. Returns whether the filter is in
// force.
bool filter_program(void);

#endif
