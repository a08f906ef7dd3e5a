// Confinement of a process before it reads untrusted files. Docs/Security.md describes what remains possible.

#ifndef TPICK_CONFINEMENT_H
#define TPICK_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The confinement that the kernel has put in force.
struct confinement {
  // The system call filter (seccomp(2)); without it, nothing contains a compromised process.
  bool has_filter;
  // ABI version of Landlock in force (landlock(7)); 0 means none.
  int32_t landlock;
};

// Confines a process that decodes files received through its standard input, a socket. Afterwards it cannot open,
// name, create or change files, create sockets or processes, execute programs, send signals, or inspect other
// processes; it cannot gain privileges, writes no core file, and is the first to be killed when memory is short.
// Its address space is limited to `memory` bytes, and it ends with the process that started it. Call it while there
// is one thread, with everything loaded that is needed. Exits if the parent has already exited.
// - has_threads: whether the process may start threads.
struct confinement confine(uint64_t memory, bool has_threads);

// Confines a program that this process is about to execute, which reads one file and writes another. It may read
// and execute files below the folders and open the two files through /proc. It creates no sockets, reaches no other
// process, and changes nothing else; all of this survives the exec and applies to processes that it starts.
struct confinement confine_program(const char *const *folders, size_t count, int input, int output);

// Lets SIGALRM kill the process after that many seconds; 0 cancels the alarm.
void give_up_after(unsigned seconds);

// Returns the size of an open regular file in bytes; -1 if it is not one. Uses a call that a confined process may
// still make: the C library's fstat(3) may use a path.
int64_t confined_file_size(int descriptor);

#endif
