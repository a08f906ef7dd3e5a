#define _GNU_SOURCE
#include "include/service_start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct start {
  const char *program;
  char *const *arguments;
  char *const *environment;
  int errors;
  // Receives an errno value on failure; closed by the exec.
  int failure;
  int lifeline;
};

// A fork of a process with several threads: from here on, call nothing that takes a lock.

static _Noreturn void fail(int failure) {
  int error = errno;
  _exit(write(failure, &error, sizeof error) < 0 ? 125 : 126);
}

// The incoming descriptors are above 9, so none is overwritten before it is duplicated.
static bool set_streams(int errors, int failure) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
         dup2(errors, STDERR_FILENO) >= 0 && dup3(failure, STDERR_FILENO + 1, O_CLOEXEC) >= 0 &&
         close_range(STDERR_FILENO + 2, ~0U, 0) == 0;
}

static _Noreturn void become(const struct start *start, pid_t guard) {
  (void)setsid();
  // If the parent exited before prctl, no signal would ever arrive.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != guard) _exit(126);
  if (!set_streams(start->errors, start->failure)) fail(start->failure);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  execve(start->program, start->arguments, start->environment);
  fail(STDERR_FILENO + 1);
}

// Sends SIGKILL to all children, including adopted ones (proc_pid_task(5), `children`).
static bool kill_children(void) {
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[4096];
  ssize_t count = read(file, text, sizeof text);
  close(file);
  pid_t process = 0;
  // Each number is followed by a blank.
  for (ssize_t i = 0; i < count; i++) {
    if (text[i] >= '0' && text[i] <= '9') {
      process = process * 10 + (text[i] - '0');
      continue;
    }
    if (process > 1) (void)kill(process, SIGKILL);
    process = 0;
  }
  return true;
}

// Kills a program with all that it has started and reaps them: processes in another group or session become
// children of this process when their parents end.
static void end_all(pid_t process) {
  (void)kill(-process, SIGKILL);
  while (kill_children()) {
    if (waitpid(-1, NULL, 0) < 0 && errno != EINTR) return;
  }
}

static void do_nothing(int number) { (void)number; }

// Waits until the program has ended or the other end of the lifeline is closed.
static void watch(pid_t process, int lifeline) {
  sigset_t others;
  sigfillset(&others);
  sigdelset(&others, SIGCHLD);
  while (true) {
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
      if (ended == process) return;
    }
    struct pollfd end = {.fd = lifeline, .events = POLLIN};
    if (ppoll(&end, 1, NULL, &others) > 0) return;
  }
}

// The guard process: the kernel can signal a child when its parent ends, but not that child's children.
static _Noreturn void guard(const struct start *start) {
  (void)prctl(PR_SET_NAME, "tpick-guard");
  (void)setsid();
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &plain, NULL);
  pid_t own = getpid(), process = -1;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0) process = fork();
  if (process == 0) become(start, own);
  if (process < 0) fail(start->failure);
  struct sigaction handled = {.sa_handler = do_nothing};
  (void)sigaction(SIGCHLD, &handled, NULL);
  // A copy of the descriptors here would keep their other ends from seeing them closed.
  if (dup2(start->lifeline, STDIN_FILENO) >= 0 && close_range(STDIN_FILENO + 1, ~0U, 0) == 0) {
    watch(process, STDIN_FILENO);
  }
  end_all(process);
  _exit(0);
}

// Creates a pipe whose descriptors are above those that the program uses.
static bool make_pipe(int ends[2]) {
  int made[2];
  if (pipe2(made, O_CLOEXEC) != 0) return false;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, 10);
    close(made[i]);
  }
  return ends[0] >= 0 && ends[1] >= 0;
}

static void close_pipe(int ends[2]) {
  for (int i = 0; i < 2; i++) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
}

int service_start(const char *program, char *const arguments[], char *const environment[], pid_t *process,
                  int *errors, int *lifeline) {
  int said[2] = {-1, -1}, failed[2] = {-1, -1}, life[2] = {-1, -1};
  int failure = make_pipe(said) && make_pipe(failed) && make_pipe(life) ? 0 : errno;
  if (!failure) {
    struct start start = {program, arguments, environment, said[1], failed[1], life[0]};
    // Blocked, so that no handler of this process runs in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *process = fork();
    if (*process == 0) guard(&start);
    if (*process < 0) failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (!failure) {
    close(failed[1]);
    failed[1] = -1;
    ssize_t count;
    while ((count = read(failed[0], &failure, sizeof failure)) < 0 && errno == EINTR) continue;
    if (count != sizeof failure) failure = 0;
    // If the program was not started, its guard exits by itself.
    if (failure) {
      while (waitpid(*process, NULL, 0) < 0 && errno == EINTR) continue;
    }
  }
  close_pipe(failed);
  if (failure) {
    close_pipe(said);
    close_pipe(life);
    return failure;
  }
  close(said[1]);
  close(life[0]);
  *errors = said[0];
  *lifeline = life[1];
  return 0;
}
