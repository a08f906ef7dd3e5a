// Hands signals to ordinary code: the handler does nothing but write the signal's number into a pipe.

#ifndef TPICK_SIGNAL_RELAY_H
#define TPICK_SIGNAL_RELAY_H

// From now on each of `numbers` arrives as one byte on `pipe`. Interrupted calls are restarted.
void signal_relay_install(const int *numbers, int count, int pipe);

// Has each of `numbers` do what it did before it was relayed.
void signal_relay_uninstall(const int *numbers, int count);

// Gives one signal its default disposition back.
void signal_relay_remove(int number);

// Relays one signal again after `signal_relay_remove`.
void signal_relay_restore(int number);

#endif
