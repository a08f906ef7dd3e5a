#include "include/terminal_guard.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
enum { FATAL_COUNT = sizeof fatal / sizeof fatal[0] };

static struct sigaction before[FATAL_COUNT];
static struct termios saved_modes;
static char saved_farewell[256];
static size_t saved_length;
static int saved_terminal;
static atomic_int armed;
static _Alignas(16) char stack[65536];
static stack_t stack_before;
static pthread_t stack_owner;
static int installed;

static void restore(int number, siginfo_t *info, void *context) {
  if (atomic_exchange(&armed, 0)) {
    size_t sent = 0;
    while (sent < saved_length) {
      ssize_t n = write(saved_terminal, saved_farewell + sent, saved_length - sent);
      if (n > 0) {
        sent += (size_t)n;
        continue;
      }
      // A terminal that accepts no output delays the process's end by a second at most.
      struct pollfd wait = {.fd = saved_terminal, .events = POLLOUT};
      if (n == 0 || errno != EAGAIN || poll(&wait, 1, 1000) <= 0) break;
    }
    tcsetattr(saved_terminal, TCSANOW, &saved_modes);
  }
  // Calls the previous handler (the Swift runtime's backtracer); then the signal takes its course.
  for (int i = 0; i < FATAL_COUNT; i++) {
    if (fatal[i] != number) continue;
    if (before[i].sa_flags & SA_SIGINFO) {
      before[i].sa_sigaction(number, info, context);
    } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
      before[i].sa_handler(number);
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

void terminal_guard_arm(int terminal, const struct termios *modes, const void *farewell, size_t length) {
  saved_terminal = terminal;
  saved_modes = *modes;
  saved_length = length < sizeof saved_farewell ? length : sizeof saved_farewell;
  if (saved_length) memcpy(saved_farewell, farewell, saved_length);
  atomic_store(&armed, 1);
  if (installed) return;
  installed = 1;
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, &stack_before);
  stack_owner = pthread_self();
  struct sigaction action = {.sa_sigaction = restore, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FATAL_COUNT; i++) sigaction(fatal[i], &action, &before[i]);
}

void terminal_guard_disarm(void) {
  atomic_store(&armed, 0);
  if (!installed) return;
  installed = 0;
  // Restores the handlers of a program that embeds the picker.
  for (int i = 0; i < FATAL_COUNT; i++) sigaction(fatal[i], &before[i], NULL);
  // Each thread has its own signal stack.
  if (pthread_equal(stack_owner, pthread_self())) sigaltstack(&stack_before, NULL);
}
