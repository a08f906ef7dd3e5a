#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// A child exits at once, where it was forked.
static long ended(long made) {
  if (made == 0) _exit(0);
  if (made < 0) return -errno;
  waitpid((pid_t)made, NULL, 0);
  return made;
}

static long fork_child(const struct surroundings *all) {
  (void)all;
#ifdef SYS_fork
  return ended(syscall(SYS_fork));
#else
  return ended(fork());
#endif
}

static long clone_child(const struct surroundings *all) {
  (void)all;
  return ended(syscall(SYS_clone, (long)SIGCHLD, NULL, NULL, NULL, 0L));
}

static long clone3_child(const struct surroundings *all) {
  (void)all;
  struct clone_args how = {.exit_signal = SIGCHLD};
  return ended(syscall(SYS_clone3, &how, sizeof how));
}

static long clone_namespace(const struct surroundings *all) {
  (void)all;
  return ended(syscall(SYS_clone, (long)(SIGCHLD | CLONE_NEWUTS), NULL, NULL, NULL, 0L));
}

// Invalid pointers: a kernel that examines them has not blocked the call, and nothing is executed.
static long execute(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_execve, "/bin/true", (char **)1, NULL));
}

static long execute_descriptor(const struct surroundings *all) {
  return outcome(syscall(SYS_execveat, all->input, "", (char **)1, NULL, 0x1000 /* AT_EMPTY_PATH */));
}

static long signal_parent(const struct surroundings *all) { return outcome(kill(all->parent, 0)); }
static long signal_victim(const struct surroundings *all) { return outcome(kill(all->victim, SIGCONT)); }
static long signal_everybody(const struct surroundings *all) { return (void)all, outcome(kill(0, 0)); }

static long signal_thread(const struct surroundings *all) {
  return outcome(syscall(SYS_tgkill, all->victim, all->victim, SIGCONT));
}

static long signal_by_tkill(const struct surroundings *all) { return outcome(syscall(SYS_tkill, all->victim, SIGCONT)); }

static long queue_signal(const struct surroundings *all) {
  return outcome(sigqueue(all->victim, SIGCONT, (union sigval){0}));
}

static long open_process(const struct surroundings *all) { return outcome(syscall(SYS_pidfd_open, all->parent, 0)); }
static long take_descriptor(const struct surroundings *all) { return outcome(syscall(SYS_pidfd_getfd, all->input, 0, 0)); }

static long signal_by_descriptor(const struct surroundings *all) {
  return outcome(syscall(SYS_pidfd_send_signal, all->input, 0, NULL, 0));
}

static long trace(const struct surroundings *all) {
  long result = ptrace(PTRACE_SEIZE, all->victim, NULL, NULL);
  return outcome(result);
}

static long read_memory(const struct surroundings *all) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&environ, 1};
  return outcome(process_vm_readv(all->victim, &here, 1, &there, 1, 0));
}

static long write_memory(const struct surroundings *all) {
  static char place;
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {&place, 1};
  return outcome(process_vm_writev(all->victim, &here, 1, &there, 1, 0));
}

static long compare(const struct surroundings *all) {
  return outcome(syscall(SYS_kcmp, all->victim, all->parent, 0 /* KCMP_FILE */, 0, 0));
}

static long leave_group(const struct surroundings *all) { return outcome(setpgid(all->victim, all->victim)); }

static long outlive_parent(const struct surroundings *all) { return (void)all, outcome(prctl(PR_SET_PDEATHSIG, 0)); }
static long be_looked_into(const struct surroundings *all) { return (void)all, outcome(prctl(PR_SET_DUMPABLE, 1)); }

static long raise_limit(const struct surroundings *all) {
  (void)all;
  struct rlimit none = {0, 0};
  return outcome(setrlimit(RLIMIT_CORE, &none));
}

static long limit_parent(const struct surroundings *all) {
  struct rlimit now;
  return outcome(prlimit(all->parent, RLIMIT_CORE, NULL, &now));
}

static long raise_priority(const struct surroundings *all) { return (void)all, outcome(setpriority(PRIO_PROCESS, 0, 0)); }

static long be_real_time(const struct surroundings *all) {
  (void)all;
  return outcome(sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}));
}

static void *nothing(void *unused) { return unused; }

static long start_thread(const struct surroundings *all) {
  (void)all;
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, nothing, NULL);
  if (failure) return -EPERM;
  pthread_join(thread, NULL);
  return 0;
}

const struct escape process_escapes[] = {
    {"fork", fork_child},
    {"clone a process", clone_child},
    {"clone a process by clone3", clone3_child},
    {"clone into a namespace", clone_namespace},
    {"execve", execute},
    {"execute its input", execute_descriptor},
    {"kill its parent", signal_parent},
    {"kill another process", signal_victim},
    {"kill its group", signal_everybody},
    {"tgkill", signal_thread},
    {"tkill", signal_by_tkill},
    {"sigqueue", queue_signal},
    {"pidfd_open", open_process},
    {"pidfd_getfd", take_descriptor},
    {"pidfd_send_signal", signal_by_descriptor},
    {"ptrace another process", trace},
    {"process_vm_readv", read_memory},
    {"process_vm_writev", write_memory},
    {"kcmp", compare},
    {"move a process to another group", leave_group},
    {"call off its end with its parent", outlive_parent},
    {"have others look into it", be_looked_into},
    {"change a limit", raise_limit},
    {"ask for a limit of its parent", limit_parent},
    {"change its priority", raise_priority},
    {"change its scheduling", be_real_time},
    // The last one: kinds that may have threads start one.
    {"start a thread", start_thread},
};
const size_t process_escape_count = sizeof process_escapes / sizeof *process_escapes;
