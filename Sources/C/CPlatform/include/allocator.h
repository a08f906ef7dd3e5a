#ifndef TPICK_ALLOCATOR_H
#define TPICK_ALLOCATOR_H

/* Has glibc's allocator give memory of pictures back when they go. By itself it keeps a heap for each thread that
   has ever made one, and learns from the first large block to keep blocks of its size: after hundreds of previews
   twice as much would be held as is in use. Does nothing with another C library. */
void allocator_return_large_blocks(void);

#endif
