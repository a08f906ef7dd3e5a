// Signals as a descriptor that can be polled together with sockets (signalfd(2), which Swift's C library module
// lacks).

#ifndef TPICK_SIGNAL_DESCRIPTOR_H
#define TPICK_SIGNAL_DESCRIPTOR_H

// Blocks the signals and returns a descriptor that receives them, closed by an exec and non-blocking; or a negative
// errno value.
int signal_descriptor_open(const int *numbers, int count);

// Returns the number of the next signal; 0 if none is pending.
int signal_descriptor_next(int descriptor);

#endif
