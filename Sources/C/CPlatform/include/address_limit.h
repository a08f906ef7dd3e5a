// The address space limit of another process of the user (prlimit(2), RLIMIT_AS).

#ifndef TPICK_ADDRESS_LIMIT_H
#define TPICK_ADDRESS_LIMIT_H

#include <stdint.h>
#include <sys/types.h>

// Returns the hard limit in bytes; UINT64_MAX if the process has set none, 0 if it has exited.
uint64_t address_limit(pid_t process);

// Sets the soft limit to `bytes`, or to the hard limit if that is lower.
void address_limit_set(pid_t process, uint64_t bytes);

#endif
