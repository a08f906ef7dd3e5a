#define _GNU_SOURCE
#include "include/sandbox_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock's numbers (landlock(7)), which older headers lack.
enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT_SELF = 446, LANDLOCK_VERSION = 1, SCOPE_ABSTRACT_ADDRESSES = 1 };

struct scoped_rules {
  uint64_t files;
  uint64_t network;
  uint64_t scoped;
};

// Denies no rights to files, so that mounts can still be created. Returns true on success, and if the kernel has no
// such rules.
static bool scope_addresses(void) {
  if (syscall(LANDLOCK_CREATE, NULL, (size_t)0, LANDLOCK_VERSION) < 6) return true;
  struct scoped_rules rules = {.scoped = SCOPE_ABSTRACT_ADDRESSES};
  int made = (int)syscall(LANDLOCK_CREATE, &rules, sizeof rules, 0);
  return made >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(LANDLOCK_RESTRICT_SELF, made, 0) == 0 &&
         close(made) == 0;
}

static void set_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) (void)signal(number, SIG_DFL);
  }
  const int ending[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) (void)signal(ending[i], SIG_IGN);
}

// Makes `group` the terminal's foreground process group; the caller may be in the background.
static void take_terminal(int terminal, pid_t group) {
  sigset_t output;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  sigset_t before;
  sigprocmask(SIG_BLOCK, &output, &before);
  (void)tcsetpgrp(terminal, group);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

static void fail(int answer) {
  int failure = errno;
  _exit(write(answer, &failure, sizeof failure) < 0 ? 125 : 126);
}

static void become(const struct sandbox_program *start, int answer) {
  // Before anything is started, so that its children are in the group from the start.
  if (start->members >= 0) (void)!write(start->members, "0", 1);
  (void)setpgid(0, 0);
  if (start->terminal >= 0) take_terminal(start->terminal, getpid());
  set_signals();
  if (start->scopes_addresses && !scope_addresses()) fail(answer);
  // Moved above the target numbers, so that neither overwrites the other.
  int options = fcntl(start->options, F_DUPFD, 10), filter = fcntl(start->filter, F_DUPFD, 10);
  answer = fcntl(answer, F_DUPFD, 10);
  if (options < 0 || filter < 0 || answer < 0 || dup2(options, SANDBOX_ARGUMENTS) < 0 ||
      dup2(filter, SANDBOX_FILTER) < 0 || dup3(answer, SANDBOX_FILTER + 1, O_CLOEXEC) < 0 ||
      close_range(SANDBOX_FILTER + 2, ~0U, 0) != 0) {
    fail(answer);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(start->program, start->arguments, start->environment);
  fail(SANDBOX_FILTER + 1);
}

int sandbox_start(const struct sandbox_program *start, pid_t *process) {
  int answer[2];
  if (pipe2(answer, O_CLOEXEC) != 0) return errno;
  *process = fork();
  if (*process == 0) become(start, answer[1]);
  close(answer[1]);
  if (*process < 0) {
    int failure = errno;
    close(answer[0]);
    return failure;
  }
  // In both processes, as shells do, because either may run first.
  (void)setpgid(*process, *process);
  if (start->terminal >= 0) take_terminal(start->terminal, *process);
  int failure = 0;
  ssize_t count;
  do {
    count = read(answer[0], &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  close(answer[0]);
  return count == (ssize_t)sizeof failure ? failure : 0;
}
