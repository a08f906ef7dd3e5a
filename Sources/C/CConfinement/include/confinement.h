// What a process gives up before it looks at files that nobody vouches for.

#ifndef TPICK_CONFINEMENT_H
#define TPICK_CONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>

// From now on: no path can be opened (where the kernel has Landlock), no privileges come by an exec, no
// other process of the user may look inside, no core file, few descriptors, and at most `memory` bytes of
// address space. What the kernel refuses is left out: each of these is a second wall.
// Returns whether paths are closed.
bool confine(uint64_t memory);

// Lets the process die by SIGALRM in that many seconds; 0 calls it off.
void give_up_after(unsigned seconds);

#endif
