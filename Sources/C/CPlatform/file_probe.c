#define _GNU_SOURCE
#include "include/file_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// A fork of a process with several threads: from here on, call nothing that takes a lock.

static void ask_content(const char *path) {
  static char bytes[32768];
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return;
  struct stat facts;
  if (fstat(file, &facts) == 0) {
    if (S_ISDIR(facts.st_mode)) {
      while (syscall(SYS_getdents64, file, bytes, sizeof bytes) > 0) continue;
    } else if (S_ISREG(facts.st_mode)) {
      // As much as is read of most files anyway.
      (void)!pread(file, bytes, 4096, 0);
    }
  }
  close(file);
}

static void ask_room(char *path) {
  struct statfs facts;
  while (statfs(path, &facts) != 0 && errno == ENOENT) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) {
      // Above it is the working folder or the root.
      (void)statfs(slash ? "/" : ".", &facts);
      return;
    }
    *slash = 0;
  }
}

static _Noreturn void answer_questions(int socket) {
  static char question[FILE_PROBE_LONGEST + 1];
  while (1) {
    ssize_t count = recv(socket, question, FILE_PROBE_LONGEST, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 1) _exit(0);
    question[count] = 0;
    static char here[] = ".";
    char *path = count == 1 ? here : question + 1;
    struct stat facts;
    if (question[0] == FILE_PROBE_ROOM) {
      ask_room(path);
    } else if (stat(path, &facts) == 0 && question[0] == FILE_PROBE_CONTENT) {
      ask_content(path);
    }
    if (send(socket, question, 1, MSG_NOSIGNAL) != 1) _exit(0);
  }
}

static _Noreturn void run(int socket) {
  prctl(PR_SET_NAME, "tpick-probe");
  setsid();
  // The parent's handlers manage the parent's terminal. Signals stay blocked until they are removed.
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &plain, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (dup2(socket, STDIN_FILENO) < 0) _exit(1);
  // Its output is inherited from the parent: a reader of it would wait for this process to end.
  if (syscall(SYS_close_range, STDIN_FILENO + 1, ~0U, 0) != 0) {
    for (int file = STDIN_FILENO + 1; file < sysconf(_SC_OPEN_MAX); file++) close(file);
  }
  answer_questions(STDIN_FILENO);
}

int file_probe_start(pid_t *process, int *socket) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  *process = fork();
  int failure = *process < 0 ? errno : 0;
  if (*process == 0) run(pair[1]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(pair[1]);
  if (failure) {
    close(pair[0]);
    return failure;
  }
  *socket = pair[0];
  return 0;
}
