#define _GNU_SOURCE
#include "include/unix_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef int attach(int socket, const struct sockaddr *address, socklen_t length);

// Returns the descriptor, or a negative errno value after closing it.
static int kept(int made, bool is_good) {
  if (is_good) return made;
  int failure = errno;
  if (made >= 0) close(made);
  return -failure;
}

static int open_socket(const void *bytes, size_t count, bool blocks, attach *attach) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count > sizeof address.sun_path - 1) return -ENAMETOOLONG;
  memcpy(address.sun_path, bytes, count);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocks ? 0 : SOCK_NONBLOCK), 0);
  if (made < 0) return -errno;
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count);
  return kept(made, attach(made, (const struct sockaddr *)&address, length) == 0);
}

int unix_socket_listen(const void *address, size_t count, bool blocks) {
  int made = open_socket(address, count, blocks, bind);
  return made < 0 ? made : kept(made, listen(made, 4) == 0);
}

int unix_socket_connect(const void *address, size_t count) {
  return open_socket(address, count, true, connect);
}

int unix_socket_accept(int listener, bool blocks) {
  int made = accept4(listener, NULL, NULL, SOCK_CLOEXEC | (blocks ? 0 : SOCK_NONBLOCK));
  return kept(made, made >= 0);
}

int unix_socket_check_user(int connection) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return errno;
  return peer.uid == geteuid() ? 0 : EPERM;
}
