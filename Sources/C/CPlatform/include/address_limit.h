// The addresses that another process of the user may have (prlimit(2), RLIMIT_AS).

#ifndef TPICK_ADDRESS_LIMIT_H
#define TPICK_ADDRESS_LIMIT_H

#include <stdint.h>
#include <sys/types.h>

// The most that it can be given, in bytes; UINT64_MAX where it has set itself no limit, 0 where it is gone.
uint64_t address_limit(pid_t process);

// Has it have so many bytes, or that limit where it is less.
void address_limit_set(pid_t process, uint64_t bytes);

#endif
