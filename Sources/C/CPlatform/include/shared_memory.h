// Memory that is passed between processes as a descriptor (memfd_create(2)). Swift's C library module lacks its
// flags and seals.
//
// The reader creates it and lends it to the writer: the writer needs no call but mmap(2), and can neither shrink
// the memory under the reader nor grow it.

#ifndef TPICK_SHARED_MEMORY_H
#define TPICK_SHARED_MEMORY_H

#include <stddef.h>

// Creates memory of `size` bytes, all 0, with a sealed size; pages are allocated when they are written. Smaller if
// this process may not create a file as large (RLIMIT_FSIZE, setrlimit(2)). Returns a descriptor, closed by an
// exec, or a negative errno value.
int shared_memory_make(size_t size);

// Seals the memory against writing by any process and frees everything after the first `kept` bytes. Returns 0, or
// an errno value: EBUSY if a writable mapping still exists.
int shared_memory_seal(int descriptor, size_t kept);

// Maps `size` bytes of sealed memory for reading from `offset`, a multiple of the page size. Returns NULL, with
// errno, if there is no room.
const void *shared_memory_map(int descriptor, size_t offset, size_t size);

// Creates an unnamed file in memory, closed by an exec; returns -1 with errno on failure.
int memory_file_create(void);

#endif
