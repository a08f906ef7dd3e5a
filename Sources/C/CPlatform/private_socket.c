#define _GNU_SOURCE
#include "include/private_socket.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef int attach(int socket, const struct sockaddr *address, socklen_t length);

// A socket that is bound or connected to a name, whose address begins with a NUL byte and has no other.
static int open_socket(const char *name, attach *attach) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t count = strlen(name);
  if (count > sizeof address.sun_path - 1) return -ENAMETOOLONG;
  memcpy(address.sun_path + 1, name, count);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -errno;
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + count);
  if (attach(made, (const struct sockaddr *)&address, length) == 0) return made;
  int failure = errno;
  close(made);
  return -failure;
}

// Keeps a socket whose other end belongs to the same user.
static int checked(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  int failure = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ? errno
                : peer.uid != geteuid()                                        ? EPERM
                                                                               : 0;
  if (!failure) return socket;
  close(socket);
  return -failure;
}

int private_socket_listen(const char *name) {
  int listener = open_socket(name, bind);
  if (listener < 0 || listen(listener, 4) == 0) return listener;
  int failure = errno;
  close(listener);
  return -failure;
}

int private_socket_connect(const char *name) {
  int connection = open_socket(name, connect);
  return connection < 0 ? connection : checked(connection);
}

int private_socket_accept(int listener) {
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  return connection < 0 ? -errno : checked(connection);
}
