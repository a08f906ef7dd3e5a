#define _GNU_SOURCE
#include "include/confinement.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
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

#ifdef LANDLOCK_ACCESS_FS_EXECUTE
static void allow(int ruleset, int place, uint64_t rights) {
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
  (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static void allow_path(int ruleset, const char *path, uint64_t rights) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;
  allow(ruleset, place, rights);
  close(place);
}
#endif

bool confine_program(const char *const *folders, size_t count, int input, int output) {
  limit(RLIMIT_CORE, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (chdir("/") != 0) { }
#ifdef LANDLOCK_ACCESS_FS_EXECUTE
  struct landlock_ruleset_attr rules = {.handled_access_fs = (1u << 13) - 1};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (ruleset < 0) return false;
  const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
  for (size_t i = 0; i < count; i++) allow_path(ruleset, folders[i], reading);
  const uint64_t both = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
  allow_path(ruleset, "/dev/null", both);
  if (input >= 0) allow(ruleset, input, LANDLOCK_ACCESS_FS_READ_FILE);
  if (output >= 0) allow(ruleset, output, both);
  bool is_closed = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return is_closed;
#else
  (void)folders, (void)count, (void)input, (void)output;
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
