// Open descriptors as passengers of bytes on a Unix socket (unix(7), SCM_RIGHTS). The macros that walk a
// message's control data are not in Swift's view of the C library.

#ifndef TPICK_DESCRIPTOR_PASSING_H
#define TPICK_DESCRIPTOR_PASSING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The most descriptors that one message carries.
enum { DESCRIPTORS_PER_MESSAGE = 32 };

// Sends bytes, with descriptors attached to the first of them. Never blocks and raises no SIGPIPE.
// Returns the number of bytes sent, or an errno made negative.
ssize_t descriptors_send(int socket, const void *bytes, size_t count, const int *descriptors,
                         size_t descriptor_count);

// Waits for bytes. `descriptors` has room for DESCRIPTORS_PER_MESSAGE of them; those that come belong to the
// caller and are closed by an exec.
// `are_lost` tells whether some came for which this process has no place (EMFILE, ENFILE): all of the message are closed
// then, and its bytes are there.
// Returns the number of bytes, 0 at the end, or an errno made negative: EPROTO where there were too many descriptors.
ssize_t descriptors_receive(int socket, void *bytes, size_t capacity, int *descriptors,
                            size_t *descriptor_count, bool *are_lost);

// Waits for bytes from who is to send no descriptors.
// Returns the number of bytes, 0 at the end, or an errno made negative: EPROTO where descriptors came along.
ssize_t bytes_receive(int socket, void *bytes, size_t capacity);

// Closes descriptors; those of a message mostly have numbers in a row, which takes one call.
void descriptors_close(const int *descriptors, size_t count);

#endif
