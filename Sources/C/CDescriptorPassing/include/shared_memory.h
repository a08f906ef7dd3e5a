// Memory that travels from one process to another as a descriptor (memfd_create(2)). Flags and seals of it
// are not in Swift's view of the C library.

#ifndef TPICK_SHARED_MEMORY_H
#define TPICK_SHARED_MEMORY_H

#include <stddef.h>

// Makes memory of `size` bytes, all 0, and maps it for writing.
// Returns a descriptor, closed by an exec, or an errno made negative.
int shared_memory_make(size_t size, void **bytes);

// Ends the writing: unmaps the memory and seals it, so that nobody changes it or its size any more.
// Returns 0, or an errno.
int shared_memory_seal(int descriptor, void *bytes, size_t size);

// Maps the first `size` bytes of somebody's memory for reading. Nothing but sealed memory of at least that
// size will do: other memory could change, or vanish, under the reader.
// Returns NULL where it is not like that.
const void *shared_memory_map(int descriptor, size_t size);

// A file in memory without a name, closed by an exec; -1 with errno where there is none.
int memory_file_create(void);

#endif
