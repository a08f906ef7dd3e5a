#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

long outcome(long result) { return result < 0 ? -errno : result; }

static char *path_in(const char *folder, const char *name) {
  char *path = NULL;
  return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int make_file(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  int is_written = write(file, "private", 7) == 7;
  close(file);
  return is_written;
}

static int listen_at(const struct sockaddr *address, size_t length, int family) {
  int made = socket(family, SOCK_STREAM, 0);
  if (made >= 0 && bind(made, address, (socklen_t)length) == 0 && listen(made, 8) == 0) return made;
  return -1;
}

// Objects opened by another process: the target process listens, and ends with this one.
static int listen_everywhere(struct surroundings *all) {
  struct sockaddr_un bus = {.sun_family = AF_UNIX}, abstract_address = {.sun_family = AF_UNIX};
  strncpy(bus.sun_path, all->bus, sizeof bus.sun_path - 1);
  size_t count = strlen(all->abstract_name);
  memcpy(abstract_address.sun_path + 1, all->abstract_name, count);
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof port;
  int at_port = listen_at((struct sockaddr *)&port, sizeof port, AF_INET);
  if (at_port < 0 || getsockname(at_port, (struct sockaddr *)&port, &length) != 0) return 0;
  all->port = ntohs(port.sin_port);
  return listen_at((struct sockaddr *)&bus, sizeof bus, AF_UNIX) >= 0 &&
         listen_at((struct sockaddr *)&abstract_address, offsetof(struct sockaddr_un, sun_path) + 1 + count, AF_UNIX) >= 0;
}

int surroundings_make(struct surroundings *all, const char *folder) {
  char name[64];
  snprintf(name, sizeof name, "tpick-hostile-%d", getpid());
  *all = (struct surroundings){.folder = folder,
                               .file = path_in(folder, "private"),
                               .spare = path_in(folder, "spare"),
                               .fresh = path_in(folder, "fresh"),
                               .bus = path_in(folder, "bus"),
                               .abstract_name = strdup(name),
                               .parent = getppid(),
                               .input = -1,
                               .memory = -1};
  if (!make_file(all->file) || !make_file(all->spare)) return 0;
  // The child reports its port through a pipe, and leaves nothing open here.
  int port[2];
  if (pipe2(port, O_CLOEXEC) != 0) return 0;
  pid_t reached_for_by = getpid();
  all->victim = fork();
  if (all->victim == 0) {
    close(STDIN_FILENO);
    if (!listen_everywhere(all)) _exit(1);
    if (write(port[1], &all->port, sizeof all->port) < 0) _exit(1);
    // A parent-death signal would come from a process that may not send any.
    while (getppid() == reached_for_by) usleep(20000);
    _exit(0);
  }
  close(port[1]);
  int is_there = all->victim > 0 && read(port[0], &all->port, sizeof all->port) == sizeof all->port;
  close(port[0]);
  return is_there;
}
