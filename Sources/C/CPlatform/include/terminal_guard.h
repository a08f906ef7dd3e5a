// Restores the terminal when the process dies by a signal that ordinary code cannot survive.
//
// A handler for such a signal may call async-signal-safe functions only (POSIX.1-2017, 2.4.3), which rules out
// Swift: this C code writes prepared bytes, restores the modes and raises the signal again.

#ifndef TPICK_TERMINAL_GUARD_H
#define TPICK_TERMINAL_GUARD_H

#include <stddef.h>
#include <termios.h>

// Arms the guard for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGTRAP. The bytes are copied (at most 256 of
// them).
void terminal_guard_arm(int terminal, const struct termios *modes, const void *farewell, size_t length);

// Disarms the guard: a later crash leaves the terminal alone.
void terminal_guard_disarm(void);

#endif
