// Resource limits of a confined process (setrlimit(2), proc(5)).

#ifndef TPICK_LIMITS_H
#define TPICK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

// Whether this build has a sanitizer, which needs more than a confined process may do.
bool has_sanitizer(void);

// Sets the limits of a decoder.
void limit_decoder(uint64_t memory, bool has_threads);

// Sets the limits of a converter.
void limit_program(void);

// Makes the kernel kill the process with its parent, and exits if the parent is already gone.
// - socket: created by the parent, which identifies it.
void end_with_parent(int socket);

// The same for a process whose parent is the only reader of a pipe.
void end_with_reader(int pipe);

#endif
