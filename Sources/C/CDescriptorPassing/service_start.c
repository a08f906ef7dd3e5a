#define _GNU_SOURCE
#include "include/service_start.h"

#include "lasting_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct start {
  const char *program;
  char *const *arguments;
  char *const *environment;
  int errors;
  pid_t parent;
  pid_t process;
  // Written by the child, which shares this memory until it becomes the program.
  volatile int failure;
};

// The descriptors come in above 2: none of them is overwritten before it is taken.
static bool set_streams(int errors) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
         dup2(errors, STDERR_FILENO) >= 0 && close_range(STDERR_FILENO + 1, ~0U, 0) == 0;
}

static _Noreturn void become(struct start *start) {
  (void)setsid();
  // Who lost its parent before it asked would never be told.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != start->parent) _exit(126);
  if (!set_streams(start->errors)) {
    start->failure = errno;
    _exit(126);
  }
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) (void)sigaction(number, &standard, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  execve(start->program, start->arguments, start->environment);
  start->failure = errno;
  _exit(126);
}

// posix_spawn(3) can't ask for a signal at the parent's end, which has to be asked for between fork and exec. This
// thread has all signals blocked: no handler of this process runs in the child.
static int start_child(void *argument) {
  struct start *start = argument;
  start->process = vfork();
  if (start->process == 0) become(start);
  if (start->process < 0) return errno;
  if (start->failure) {
    while (waitpid(start->process, NULL, 0) < 0 && errno == EINTR) {}
  }
  return start->failure;
}

int service_start(const char *program, char *const arguments[], char *const environment[], pid_t *process,
                  int *errors) {
  int pair[2];
  if (pipe2(pair, O_CLOEXEC) != 0) return errno;
  int high = fcntl(pair[1], F_DUPFD_CLOEXEC, 10);
  int failure = high < 0 ? errno : 0;
  close(pair[1]);
  struct start start = {.program = program, .arguments = arguments, .environment = environment, .errors = high,
                        .parent = getpid()};
  if (!failure) failure = on_lasting_thread(start_child, &start);
  if (high >= 0) close(high);
  if (failure) {
    close(pair[0]);
    return failure;
  }
  *process = start.process;
  *errors = pair[0];
  return 0;
}
