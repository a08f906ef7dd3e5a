#define _GNU_SOURCE
#include "include/confinement.h"

#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

// A batch of files, their shared memory, and a few of the libraries' own.
enum { DESCRIPTORS = 96 };

static void limit(int resource, rlim_t value) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < value) value = limits.rlim_max;
  limits.rlim_cur = limits.rlim_max = value;
  (void)setrlimit(resource, &limits);
}

// A Landlock ruleset without rules: every access to the file system that it handles is refused (Linux
// Documentation/userspace-api/landlock.rst; the first thirteen rights are those of its first version).
static bool close_file_system(void) {
#ifdef LANDLOCK_ACCESS_FS_EXECUTE
  struct landlock_ruleset_attr rules = {.handled_access_fs = (1u << 13) - 1};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (ruleset < 0) return false;
  bool is_closed = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return is_closed;
#else
  return false;
#endif
}

// Sanitizers reserve terabytes of addresses: with a limit the helper would end at its first allocation.
static bool has_sanitizer(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

bool confine(uint64_t memory) {
  limit(RLIMIT_CORE, 0);
  if (!has_sanitizer()) limit(RLIMIT_AS, memory);
  limit(RLIMIT_NOFILE, DESCRIPTORS);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Hold no folder that someone wants to unmount.
  if (chdir("/") != 0) { }
  return close_file_system();
}

void give_up_after(unsigned seconds) { (void)alarm(seconds); }
