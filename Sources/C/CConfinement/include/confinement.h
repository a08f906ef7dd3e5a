// What a process gives up before it looks at files that nobody vouches for. Docs/Security.md says what is left.

#ifndef TPICK_CONFINEMENT_H
#define TPICK_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What of it the kernel has put into force.
struct confinement {
  // The filter of system calls (seccomp(2)): without it nothing holds a process that a file has taken over.
  bool has_filter;
  // The version of Landlock that is in force (landlock(7)); 0 = none.
  int32_t landlock;
};

// For a process that decodes what it is handed through its standard input, a socket. From now on it can neither open,
// name, create nor change a file, make a socket or a process, run a program, send a signal or look into another process;
// it has no privileges to gain, leaves no core file, and is the first to go when memory is short. It may have at most
// `memory` bytes of addresses, and ends with the process that started it.
// Called while there is one thread, with everything loaded that is needed. Ends the process where its parent is gone.
// - has_threads: whether it may start threads.
struct confinement confine(uint64_t memory, bool has_threads);

// For a program that this process is about to become, which reads one file and writes another: of the file system it may
// read and execute what lies below the folders, and open those two through /proc. It makes no sockets, reaches no
// other process, and changes nothing else; all of that survives the exec, and holds for processes that it starts.
struct confinement confine_program(const char *const *folders, size_t count, int input, int output);

// Lets the process die by SIGALRM in that many seconds; 0 calls it off.
void give_up_after(unsigned seconds);

// The size of an open regular file in bytes; -1 where it is none. By a call that a confined process still has: the C
// library's fstat(3) may ask by path.
int64_t confined_file_size(int descriptor);

#endif
