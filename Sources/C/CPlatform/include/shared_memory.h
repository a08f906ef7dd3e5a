// Memory that travels from one process to another as a descriptor (memfd_create(2)). Flags and seals of it
// are not in Swift's view of the C library.
//
// Who reads makes it and lends it to who writes: the writer needs no call but mmap(2), and can neither shrink the
// memory under the reader nor grow it.

#ifndef TPICK_SHARED_MEMORY_H
#define TPICK_SHARED_MEMORY_H

#include <stddef.h>

// Makes memory of `size` bytes, all 0, whose size can't be changed any more; none of it is taken from the system
// before it is written. Smaller where this process may make no file as large (RLIMIT_FSIZE, setrlimit(2)).
// Returns a descriptor, closed by an exec, or an errno made negative.
int shared_memory_make(size_t size);

// Ends the writing, by anybody, and gives back to the system what lies behind the first `kept` bytes.
// Returns 0, or an errno: EBUSY where somebody still has the memory mapped for writing.
int shared_memory_seal(int descriptor, size_t kept);

// Maps `size` bytes of sealed memory for reading, from `offset` on: a multiple of a page.
// Returns NULL, with errno, where there is no room for it.
const void *shared_memory_map(int descriptor, size_t offset, size_t size);

// A file in memory without a name, closed by an exec; -1 with errno where there is none.
int memory_file_create(void);

#endif
