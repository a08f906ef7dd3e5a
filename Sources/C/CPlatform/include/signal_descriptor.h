// Signals as bytes that can be waited for together with sockets (signalfd(2), not in Swift's view of the C library).

#ifndef TPICK_SIGNAL_DESCRIPTOR_H
#define TPICK_SIGNAL_DESCRIPTOR_H

// Blocks the signals and has them arrive at a descriptor, which is closed by an exec and never blocks.
// Returns it, or an errno made negative.
int signal_descriptor_open(const int *numbers, int count);

// The number of the next signal; 0 where none has come.
int signal_descriptor_next(int descriptor);

#endif
