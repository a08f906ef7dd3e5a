#ifndef TPICK_PROCESS_H
#define TPICK_PROCESS_H

#include <stddef.h>

// What the process was started with. Swift reads it from /proc, which a chroot, a container or a rescue system may not
// have: a command line would then be an empty one, and `tpick cache clear` a picker.

// How many arguments main got, the name of the program among them.
int process_argument_count(void);

// One of them; NULL beyond the last one.
const char *process_argument(int index);

// The path with which the program was started, as execve(2) got it; NULL where the kernel does not tell.
const char *process_program(void);

// How large the stack of a thread is that is made from now on and asks for none.
void process_set_stack_size(size_t bytes);

#endif
