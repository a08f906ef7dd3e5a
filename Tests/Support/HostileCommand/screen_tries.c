#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A process that runs while the picker has the terminal writes a mark there: the test reads the terminal's output and
// reports whether one appeared while the picker was shown.

struct screen_try {
  const char *name;
  const char *mark;
  int processes;
  void (*run)(int terminal, const char *mark);
  // Whether it writes the mark from the beginning, or only after a success.
  bool writes;
};

static void put(int terminal, const char *mark) { (void)!write(terminal, mark, strlen(mark)); }

static int64_t milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The processor time of each sibling at full speed: together six seconds, which is longer than the picker waits for all
// of them to be frozen on a machine with two processors. Afterwards they wake each other less often, so that other work
// on the machine can continue.
static const int64_t storm = 100;

static void wake_each_other(int terminal, const char *mark) {
  for (int64_t last = 0;;) {
    kill(-1, SIGCONT);
    if (milliseconds(CLOCK_PROCESS_CPUTIME_ID) > storm) usleep(100000);
    if (milliseconds(CLOCK_MONOTONIC) - last < 20) continue;
    put(terminal, mark);
    last = milliseconds(CLOCK_MONOTONIC);
  }
}

static void do_nothing(int number) { (void)number; }

static void wake_by_timer(int terminal, const char *mark) {
  signal(SIGCONT, do_nothing);
  // Many one-shot timers: stopping discards a pending signal, and with it the timer that repeats it.
  for (long number = 1; number <= 200; number++) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    long end = number * 80;
    struct itimerspec once = {.it_value = {.tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &once, NULL) != 0) return;
  }
  for (;;) {
    pause();
    put(terminal, mark);
  }
}

struct writer {
  int terminal;
  const char *mark;
};

static void *write_on(void *context) {
  const struct writer *writer = context;
  for (;;) {
    put(writer->terminal, writer->mark);
    usleep(5000);
  }
  return NULL;
}

static void outlive_first_thread(int terminal, const char *mark) {
  static struct writer writer;
  writer = (struct writer){terminal, mark};
  pthread_t thread;
  if (pthread_create(&thread, NULL, write_on, &writer) != 0) return;
  // Only this thread.
  syscall(SYS_exit, 0);
}

static void take_terminal(int terminal, const char *mark) {
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);
  signal(SIGTTIN, SIG_IGN);
  fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK);
  for (;;) {
    char key;
    tcsetpgrp(terminal, getpgrp());
    if (read(terminal, &key, 1) == 1) put(terminal, mark);
    usleep(1000);
  }
}

static const struct screen_try tries[] = {
    {"write over the picker by siblings that wake each other", "<woken>", 60, wake_each_other, true},
    {"write over the picker by a timer that wakes its process", "<timed>", 1, wake_by_timer, true},
    {"write over the picker by a thread whose first one has ended", "<thread>", 1, outlive_first_thread, true},
    {"take the terminal from the picker", "<typed>", 1, take_terminal, false},
};

static void ask_for_photos(void) {
  static const char request[] = "tpick-portal-1\0limit=1";
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tpick/session/portal"};
  uint32_t length = sizeof request;
  char answer[4096];
  int portal = socket(AF_UNIX, SOCK_STREAM, 0);
  while (connect(portal, (struct sockaddr *)&address, sizeof address) != 0 && errno == EAGAIN) usleep(1000);
  // The lowest byte first, as on this machine.
  if (write(portal, &length, sizeof length) != sizeof length || write(portal, request, length) != length) return;
  while (read(portal, answer, sizeof answer) > 0) continue;
  close(portal);
}

static pid_t start(const struct screen_try *try, int begun) {
  pid_t process = fork();
  if (process != 0) return process;
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (try->writes) put(terminal, try->mark);
  (void)!write(begun, "", 1);
  try->run(terminal, try->mark);
  _exit(1);
}

int run_screen_tries(void) {
  // The try that takes over the terminal must not stop this process when it writes.
  signal(SIGTTOU, SIG_IGN);
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    int begun[2];
    pid_t processes[60];
    if (pipe(begun) != 0) return 1;
    for (int number = 0; number < tries[i].processes; number++) processes[number] = start(&tries[i], begun[1]);
    for (int number = 0; number < tries[i].processes; number++) {
      char byte;
      if (read(begun[0], &byte, 1) != 1) return 1;
    }
    ask_for_photos();
    for (int number = 0; number < tries[i].processes; number++) {
      kill(processes[number], SIGKILL);
      waitpid(processes[number], NULL, 0);
    }
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    tcsetpgrp(terminal, getpgrp());
    close(terminal);
    close(begun[0]);
    close(begun[1]);
    printf("asked\t%s\t%s\n", tries[i].name, tries[i].mark);
    fflush(stdout);
  }
  printf("end\n");
  return 0;
}
