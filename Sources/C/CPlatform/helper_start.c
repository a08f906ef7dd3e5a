#define _GNU_SOURCE
#include "include/helper_start.h"

#include "child_environment.h"
#include "lasting_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

// Arguments of posix_spawn(3), which runs on the thread that starts children.
struct start {
  const char *program;
  char *const *arguments;
  char *const *environment;
  const posix_spawn_file_actions_t *actions;
  const posix_spawnattr_t *attributes;
  pid_t process;
};

static int spawn(void *argument) {
  struct start *start = argument;
  return posix_spawn(
      &start->process, start->program, start->actions, start->attributes, start->arguments, start->environment);
}

static int start_child(const char *program, char *const arguments[], bool is_program,
                       const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                       pid_t *process) {
  char *environment[CHILD_VARIABLES];
  child_environment(environment, is_program);
  struct start start = {program, arguments, environment, actions, attributes, 0};
  int failure = on_lasting_thread(spawn, &start);
  if (!failure) *process = start.process;
  return failure;
}

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
      if (!failure) failure = start_child(program, arguments, false, &actions, &attributes, process);
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

static int prepare_program(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int input, int output,
                           int words) {
  int failure = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_adddup2(actions, words, STDOUT_FILENO);
  if (!failure) failure = posix_spawn_file_actions_adddup2(actions, words, STDERR_FILENO);
  // The incoming descriptors are above 9, so none is overwritten before it is duplicated.
  if (!failure && input >= 0) failure = posix_spawn_file_actions_adddup2(actions, input, 3);
  if (!failure && output >= 0) failure = posix_spawn_file_actions_adddup2(actions, output, 4);
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, 5);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (!failure) failure = posix_spawnattr_setsigmask(attributes, &none);
  if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &all);
  if (!failure) failure = posix_spawnattr_setpgroup(attributes, 0);
  if (!failure) {
    failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  return failure;
}

// Duplicates a descriptor above 9, closed by an exec; -1 stays -1.
static int moved_up(int descriptor) { return descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 10); }

int program_start(const char *program, char *const arguments[], int input, int output, pid_t *process, int *words) {
  int pair[2];
  if (pipe2(pair, O_CLOEXEC) != 0) return errno;
  int high[3] = {moved_up(input), moved_up(output), moved_up(pair[1])};
  close(pair[1]);
  int failure = 0;
  if ((input >= 0 && high[0] < 0) || (output >= 0 && high[1] < 0) || high[2] < 0) failure = errno;
  posix_spawn_file_actions_t actions;
  if (!failure) failure = posix_spawn_file_actions_init(&actions);
  if (!failure) {
    posix_spawnattr_t attributes;
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
      failure = prepare_program(&actions, &attributes, high[0], high[1], high[2]);
      if (!failure) failure = start_child(program, arguments, true, &actions, &attributes, process);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  for (int i = 0; i < 3; i++) {
    if (high[i] >= 0) close(high[i]);
  }
  if (failure) {
    close(pair[0]);
    return failure;
  }
  *words = pair[0];
  return 0;
}
