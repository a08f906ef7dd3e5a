// Unix domain stream sockets. Swift's C library module lacks abstract addresses and the credentials of the peer
// (unix(7)).

#ifndef TPICK_UNIX_SOCKET_H
#define TPICK_UNIX_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

// An address is a path without its NUL, or abstract: a NUL byte and a name that is in no folder. The first three
// functions return a descriptor that an exec closes, or a negative errno value: ENAMETOOLONG for more than 107
// bytes.

// Listens for connections. If `blocks` is false, accepting does not wait.
int unix_socket_listen(const void *address, size_t count, bool blocks);

// Connects, and waits until connected.
int unix_socket_connect(const void *address, size_t count);

// Accepts a connection.
int unix_socket_accept(int listener, bool blocks);

// Checks whether the peer belongs to the user of this process: returns 0, or an errno value, which is EPERM if it
// does not.
int unix_socket_check_user(int connection);

#endif
