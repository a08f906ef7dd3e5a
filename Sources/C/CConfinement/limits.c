#define _GNU_SOURCE
#include "limits.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// Enough for a batch of files, the memory for pictures, and a few of the libraries' own.
enum { DESCRIPTORS = 96 };

// Processor time in seconds for the whole life of a helper: more than a long film takes, and an end for a
// compromised helper that computes for others. The next request starts a new helper.
enum { PROCESSOR_TIME = 3600 };

// Preference of the out-of-memory killer, up to 1000 (proc(5), oom_score_adj).
static const char FIRST_TO_GO[] = "800";

bool has_sanitizer(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

static void limit(int resource, rlim_t value) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < value) value = limits.rlim_max;
  limits.rlim_cur = limits.rlim_max = value;
  (void)setrlimit(resource, &limits);
}

static void go_first(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, FIRST_TO_GO, strlen(FIRST_TO_GO)) < 0) { }
  close(file);
}

void limit_decoder(uint64_t memory, bool has_threads) {
  go_first();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, DESCRIPTORS);
  // RLIMIT_NPROC counts all threads of the user, so it cannot be set for a process that starts threads.
  if (!has_threads) limit(RLIMIT_NPROC, 0);
  // Sanitizers reserve terabytes of address space: with a limit the helper would fail at its first allocation.
  if (has_sanitizer()) return;
  limit(RLIMIT_CPU, PROCESSOR_TIME);
  limit(RLIMIT_AS, memory);
}

void limit_program(void) {
  go_first();
  limit(RLIMIT_CORE, 0);
}

void end_with_parent(int socket) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // If the parent exited before prctl, no signal arrives. The parent created the socket: compare its process.
  struct ucred maker = {0};
  socklen_t size = sizeof maker;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0 || maker.pid == 0) return;
  if (getppid() != maker.pid) _exit(0);
}

void end_with_reader(int pipe) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  struct pollfd end = {.fd = pipe};
  if (poll(&end, 1, 0) > 0 && end.revents & POLLERR) _exit(0);
}
