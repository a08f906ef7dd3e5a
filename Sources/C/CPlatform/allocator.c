#include <stdlib.h>

#include "include/allocator.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void allocator_return_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}
