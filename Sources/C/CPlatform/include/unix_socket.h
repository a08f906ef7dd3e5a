// Stream sockets of the Unix domain. Abstract addresses and the credentials of the other end (unix(7)) are not in
// Swift's view of the C library.

#ifndef TPICK_UNIX_SOCKET_H
#define TPICK_UNIX_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

// An address is a path without its NUL, or an abstract one: a NUL byte, and a name that is in no folder. The first
// three return a descriptor that an exec closes, or an errno made negative: ENAMETOOLONG for more than 107 bytes.

// Waits for connections. Where `blocks` is false, no call waits.
int unix_socket_listen(const void *address, size_t count, bool blocks);

// Connects, and waits for that.
int unix_socket_connect(const void *address, size_t count);

// Takes a connection.
int unix_socket_accept(int listener, bool blocks);

// Whether the other end belongs to the user of this process: 0, or an errno: EPERM where it does not.
int unix_socket_check_user(int connection);

#endif
