#define _GNU_SOURCE
#include "include/pseudo_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int pseudo_terminal(int *master, int *slave) {
  int own = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (own < 0) return errno;
  char name[128];
  int other = -1;
  if (grantpt(own) == 0 && unlockpt(own) == 0 && ptsname_r(own, name, sizeof name) == 0)
    other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (other < 0) {
    int failure = errno;
    close(own);
    return failure;
  }
  *master = own;
  *slave = other;
  return 0;
}
