#include "include/signal_relay.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t relay_pipe = -1;

// The previous handlers.
static struct sigaction before[NSIG];

static void relay(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe means that its reader already has enough to do.
  if (write(relay_pipe, &byte, 1) < 0) { }
  errno = saved;
}

void signal_relay_restore(int number) {
  struct sigaction action = {.sa_handler = relay, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void signal_relay_install(const int *numbers, int count, int pipe) {
  relay_pipe = pipe;
  for (int i = 0; i < count; i++) {
    struct sigaction found;
    if (sigaction(numbers[i], NULL, &found) == 0 && found.sa_handler != relay) before[numbers[i]] = found;
    signal_relay_restore(numbers[i]);
  }
}

void signal_relay_uninstall(const int *numbers, int count) {
  for (int i = 0; i < count; i++) sigaction(numbers[i], &before[numbers[i]], NULL);
}

void signal_relay_remove(int number) { signal(number, SIG_DFL); }
