// A pipe whose ends no child inherits. pipe2(2) is not in Swift's view of the C library, and pipe(2) with fcntl(2) behind
// it lets a child of another thread begin in between.

#ifndef TPICK_CLOSING_PIPE_H
#define TPICK_CLOSING_PIPE_H

// Returns 0, or an errno.
int closing_pipe(int *read_end, int *write_end);

#endif
