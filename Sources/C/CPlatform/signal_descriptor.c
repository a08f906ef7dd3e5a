#define _GNU_SOURCE
#include "include/signal_descriptor.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signal_descriptor_open(const int *numbers, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -errno;
  int made = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return made < 0 ? -errno : made;
}

int signal_descriptor_next(int descriptor) {
  struct signalfd_siginfo next;
  return read(descriptor, &next, sizeof next) == sizeof next ? (int)next.ssi_signo : 0;
}
