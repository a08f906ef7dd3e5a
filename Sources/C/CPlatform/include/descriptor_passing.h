// Passes open descriptors over a Unix socket (unix(7), SCM_RIGHTS). Swift's C library module lacks the macros for a
// message's control data.

#ifndef TPICK_DESCRIPTOR_PASSING_H
#define TPICK_DESCRIPTOR_PASSING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The most descriptors per message.
enum { DESCRIPTORS_PER_MESSAGE = 32 };

// Sends bytes, with descriptors attached to the first of them. Never blocks and raises no SIGPIPE. Returns the
// number of bytes sent, or a negative errno value.
ssize_t descriptors_send(int socket, const void *bytes, size_t count, const int *descriptors,
                         size_t descriptor_count);

// Waits for bytes. `descriptors` has room for DESCRIPTORS_PER_MESSAGE of them; received ones belong to the caller
// and are closed by an exec. `are_lost` reports that this process could not open all of them (EMFILE, ENFILE): then
// all descriptors of the message are closed, but its bytes are returned. Returns the number of bytes, 0 at the end,
// or a negative errno value: EPROTO if there were too many descriptors.
ssize_t descriptors_receive(int socket, void *bytes, size_t capacity, int *descriptors,
                            size_t *descriptor_count, bool *are_lost);

// Waits for bytes from a peer that must not send descriptors. Returns the number of bytes, 0 at the end, or a
// negative errno value: EPROTO if descriptors arrived.
ssize_t bytes_receive(int socket, void *bytes, size_t capacity);

// Closes descriptors; those of one message usually have consecutive numbers, which takes a single call.
void descriptors_close(const int *descriptors, size_t count);

#endif
