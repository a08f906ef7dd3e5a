// A terminal whose other end is this process.

#ifndef TPICK_PSEUDO_TERMINAL_H
#define TPICK_PSEUDO_TERMINAL_H

// Opens both ends, which are close-on-exec and don't become the controlling terminal of this process.
// Returns 0, or an errno value.
int pseudo_terminal(int *master, int *slave);

#endif
