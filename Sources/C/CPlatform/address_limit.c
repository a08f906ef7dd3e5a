#define _GNU_SOURCE
#include "include/address_limit.h"

#include <stddef.h>
#include <sys/resource.h>

uint64_t address_limit(pid_t process) {
  struct rlimit limits;
  if (prlimit(process, RLIMIT_AS, NULL, &limits) != 0) return 0;
  return limits.rlim_max == RLIM_INFINITY ? UINT64_MAX : limits.rlim_max;
}

void address_limit_set(pid_t process, uint64_t bytes) {
  struct rlimit limits;
  if (prlimit(process, RLIMIT_AS, NULL, &limits) != 0) return;
  limits.rlim_cur = bytes < limits.rlim_max ? bytes : limits.rlim_max;
  (void)prlimit(process, RLIMIT_AS, &limits, NULL);
}
