#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

// Calls that affect only the process itself and the descriptors it received.
static const int ALLOWED[] = {
    // Received files and memory; the socket has rules of its own.
    SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(close), SCMP_SYS(close_range),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // Existing threads.
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // Timer signals to itself, and their handlers.
    SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall),
    // Clocks, random numbers, and the memory size of the machine.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(sysinfo),
};

// Newer calls that fail with ENOSYS, so that the C library falls back to an older one.
static const int MISSING[] = {
    SCMP_SYS(clone3), SCMP_SYS(openat2), SCMP_SYS(statx), SCMP_SYS(membarrier), SCMP_SYS(faccessat2),
};

// Flags with which the C library starts threads, and optional ones; any other flag creates a process or a
// namespace.
enum {
  THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD,
  THREAD_OPTIONS = CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID |
                   CLONE_DETACHED,
};

static int allow(scmp_filter_ctx filter, int call) { return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); }

static int allow_with(scmp_filter_ctx filter, int call, struct scmp_arg_cmp first) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, first);
}

static int allow_with_both(scmp_filter_ctx filter, int call, struct scmp_arg_cmp first, struct scmp_arg_cmp second) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 2, first, second);
}

// Calls that are allowed with some arguments only: for the socket, the null device, the process itself, or
// non-executable memory.
static int allow_uses(scmp_filter_ctx filter) {
  const struct scmp_arg_cmp is_socket = SCMP_A0(SCMP_CMP_EQ, STDIN_FILENO);
  int failure = allow_with(filter, SCMP_SYS(recvmsg), is_socket);
  // Only to the connected peer.
  failure |= allow_with_both(filter, SCMP_SYS(sendto), is_socket, SCMP_A4(SCMP_CMP_EQ, 0));
  failure |= allow_with(filter, SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO));
  failure |= allow_with(filter, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  failure |= allow_with(filter, SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  // Limits may be read, not set.
  failure |= allow_with_both(
      filter, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
  return failure;
}

static bool load(scmp_filter_ctx filter, bool has_threads) {
  int failure = 0;
  for (size_t i = 0; i < sizeof ALLOWED / sizeof *ALLOWED; i++) failure |= allow(filter, ALLOWED[i]);
  for (size_t i = 0; i < sizeof MISSING / sizeof *MISSING; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), MISSING[i], 0);
  }
  failure |= allow_uses(filter);
  if (has_threads) {
    const uint64_t decided = ~(uint64_t)THREAD_OPTIONS;
    failure |= allow_with(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, decided, THREAD));
  }
  // Refuse calls of another architecture, whose numbers mean something else.
  failure |= seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  failure |= seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  // Before Linux 5.16, a filter turns on a mitigation (speculative store bypass) that slows the process down by a
  // third. It isolates parts of one process from each other, and this one has no secrets.
  (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  return !failure && seccomp_load(filter) == 0;
}

bool filter_decoder(bool has_threads) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return false;
  bool is_loaded = load(filter, has_threads);
  seccomp_release(filter);
  return is_loaded;
}
