// Limits of a process that is confined (setrlimit(2), proc(5)).

#ifndef TPICK_LIMITS_H
#define TPICK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

// Whether this was compiled with a sanitizer, which needs more than a confined process has.
bool has_sanitizer(void);

// Those of a process that decodes.
void limit_decoder(uint64_t memory, bool has_threads);

// Those of a program that converts.
void limit_program(void);

// Has the kernel end the process with its parent, and ends it where the parent is gone already.
// - socket: one that the parent made, by which it is known.
void end_with_parent(int socket);

// The same where the parent alone reads what is written to a pipe.
void end_with_reader(int pipe);

#endif
