// What a process gives up before it looks at files that nobody vouches for.

#ifndef TPICK_CONFINEMENT_H
#define TPICK_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From now on: no path can be opened (where the kernel has Landlock), no privileges come by an exec, no
// other process of the user may look inside, no core file, few descriptors, and at most `memory` bytes of
// address space. What the kernel refuses is left out: each of these is a second wall.
// Returns whether paths are closed.
bool confine(uint64_t memory);

// What a program gives up that this process is about to become, which reads one file and writes another: of the file
// system it may read and execute what lies below the folders (where the kernel has Landlock), and open those two
// through /proc. No privileges come by an exec, there is no core file, and it ends when the thread that started it does.
// Returns whether paths are closed.
bool confine_program(const char *const *folders, size_t count, int input, int output);

// Lets the process die by SIGALRM in that many seconds; 0 calls it off.
void give_up_after(unsigned seconds);

#endif
