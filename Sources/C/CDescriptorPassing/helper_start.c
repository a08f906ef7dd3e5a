#define _GNU_SOURCE
#include "include/helper_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static int prepare(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int socket) {
  int failure = posix_spawn_file_actions_adddup2(actions, socket, STDIN_FILENO);
  if (!failure) failure = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (!failure) failure = posix_spawnattr_setsigmask(attributes, &none);
  if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &all);
  if (!failure) {
    failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  return failure;
}

int helper_start(const char *program, pid_t *process, int *socket) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (!failure) {
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
      failure = prepare(&actions, &attributes, pair[1]);
      char *const arguments[] = {(char *)program, NULL};
      if (!failure) failure = posix_spawn(process, program, &actions, &attributes, arguments, environ);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(pair[1]);
  if (failure) {
    close(pair[0]);
    return failure;
  }
  *socket = pair[0];
  return 0;
}
