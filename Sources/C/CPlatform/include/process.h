#ifndef TPICK_PROCESS_H
#define TPICK_PROCESS_H

#include <stddef.h>

// Arguments of the process. Swift reads them from /proc, which a chroot, a container or a rescue system may lack:
// the command line would then be empty, and `tpick cache clear` would start the picker.

// Number of arguments of main, including the program's name.
int process_argument_count(void);

// Returns an argument; NULL beyond the last one.
const char *process_argument(int index);

// The path with which the program was started, as execve(2) received it; NULL if the kernel does not report it.
const char *process_program(void);

// Sets the default stack size for threads created from now on.
void process_set_stack_size(size_t bytes);

#endif
