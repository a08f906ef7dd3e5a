// Stream sockets by which processes of one user find each other. Abstract addresses and the credentials of the
// other end (unix(7)) are not in Swift's view of the C library.

#ifndef TPICK_PRIVATE_SOCKET_H
#define TPICK_PRIVATE_SOCKET_H

// The address is a name that is in no folder: nothing of it is left behind, however its process ends.
// Each returns a descriptor, closed by an exec, or an errno made negative: EPERM where the other end belongs to
// another user.

// Waits for connections to `name`.
int private_socket_listen(const char *name);

// Connects to `name`.
int private_socket_connect(const char *name);

// Takes a connection.
int private_socket_accept(int listener);

#endif
