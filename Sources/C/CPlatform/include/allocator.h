#ifndef TPICK_ALLOCATOR_H
#define TPICK_ALLOCATOR_H

/* Makes glibc's allocator return freed pictures to the system. By default it keeps a heap for each thread that has
   allocated, and after the first large block it keeps blocks of that size: after hundreds of previews twice as much
   memory would be held as is in use. Does nothing with another C library. */
void allocator_return_large_blocks(void);

#endif
