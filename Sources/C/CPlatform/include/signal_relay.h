// Relays signals to ordinary code: the handler only writes the signal's number into a pipe.

#ifndef TPICK_SIGNAL_RELAY_H
#define TPICK_SIGNAL_RELAY_H

// Relays each of `numbers` as one byte on `pipe` from now on. Interrupted calls are restarted.
void signal_relay_install(const int *numbers, int count, int pipe);

// Restores the previous handlers of `numbers`.
void signal_relay_uninstall(const int *numbers, int count);

// Restores the default disposition of one signal.
void signal_relay_remove(int number);

// Relays one signal again after `signal_relay_remove`.
void signal_relay_restore(int number);

#endif
