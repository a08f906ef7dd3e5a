// A pipe whose ends no child inherits. Swift's C library module lacks pipe2(2), and between pipe(2) and fcntl(2)
// another thread could start a child.

#ifndef TPICK_CLOSING_PIPE_H
#define TPICK_CLOSING_PIPE_H

// Returns 0, or an errno value.
int closing_pipe(int *read_end, int *write_end);

#endif
