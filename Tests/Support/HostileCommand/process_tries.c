#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int proc_file(const struct outside *o, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", o->process, name);
  return opened(path, O_RDONLY);
}

static int see_process(const struct outside *o) { return proc_file(o, "status"); }
static int read_environment(const struct outside *o) { return proc_file(o, "environ"); }
static int read_its_memory(const struct outside *o) { return proc_file(o, "mem"); }
static int signal_process(const struct outside *o) { return result_of(kill(o->process, 0)); }
static int signal_group(const struct outside *o) {
  // The process may be in the group of another one.
  pid_t group = getpgid(o->process);
  return result_of(kill(group > 0 ? -group : -o->process, 0));
}
static int queue_signal(const struct outside *o) { return result_of(sigqueue(o->process, 0, (union sigval){0})); }
static int open_process(const struct outside *o) { return result_of(syscall(SYS_pidfd_open, o->process, 0)); }
static int trace_process(const struct outside *o) { return result_of(ptrace(PTRACE_SEIZE, o->process, NULL, NULL)); }
static int be_traced(const struct outside *o) { return (void)o, result_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }
static int read_by_call(const struct outside *o) {
  char byte;
  struct iovec own = {&byte, 1}, other = {&byte, 1};
  return result_of(process_vm_readv(o->process, &own, 1, &other, 1, 0));
}
static int take_descriptor(const struct outside *o) { return (void)o, result_of(syscall(SYS_pidfd_getfd, -1, 0, 0)); }
static int slow_down(const struct outside *o) { return result_of(setpriority(PRIO_PROCESS, (id_t)o->process, 0)); }
static int join_group(const struct outside *o) { return result_of(setpgid(0, o->process)); }
static int limit_process(const struct outside *o) {
  struct rlimit limit;
  return result_of(prlimit(o->process, RLIMIT_CORE, NULL, &limit));
}
static int have_capability(const struct outside *o) {
  (void)o;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return errno;
  return data[0].effective || data[1].effective || data[0].permitted || data[1].permitted ? 0 : EPERM;
}
static int gain_privileges(const struct outside *o) { return (void)o, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0; }
static int be_another(const struct outside *o) { return (void)o, result_of(setuid(geteuid() == 12345 ? 12346 : 12345)); }
static int type_keys(const struct outside *o) {
  char key = '\n';
  (void)o;
  return result_of(ioctl(0, TIOCSTI, &key));
}
static int type_keys_by_high_bits(const struct outside *o) {
  char key = '\n';
  (void)o;
  return result_of(syscall(SYS_ioctl, 0L, (1L << 32) | TIOCSTI, &key));
}
static int paste_keys(const struct outside *o) {
  char paste[] = {3, 0};
  (void)o;
  return result_of(ioctl(0, TIOCLINUX, paste));
}
static int find_variable(const struct outside *o) {
  static const char *const names[] = {"TPICK_TEST_SECRET", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "DISPLAY",
                                      "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "OLDPWD"};
  (void)o;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (getenv(names[i])) return 0;
  }
  return ENOENT;
}

const struct try process_tries[] = {
    {"see a process outside", see_process, true},
    {"read the environment of a process outside", read_environment, true},
    {"open the memory of a process outside", read_its_memory, false},
    {"send a signal to a process outside", signal_process, true},
    {"send a signal to a group outside", signal_group, true},
    {"queue a signal", queue_signal, true},
    {"open a process outside", open_process, true},
    {"trace a process outside", trace_process, false},
    {"trace at all", be_traced, false},
    {"read the memory of another process by a call", read_by_call, false},
    {"take a descriptor of another process", take_descriptor, false},
    {"change the priority of a process outside", slow_down, false},
    {"join a group outside", join_group, false},
    {"ask for the limits of a process outside", limit_process, true},
    {"have a capability", have_capability, false},
    {"gain privileges by a program", gain_privileges, true},
    {"become another user", be_another, false},
    {"type keys for the shell (TIOCSTI)", type_keys, false},
    {"type keys by a number with high bits", type_keys_by_high_bits, false},
    {"paste keys (TIOCLINUX)", paste_keys, false},
    {"find a variable of the user's session", find_variable, true},
};
const size_t process_try_count = sizeof process_tries / sizeof *process_tries;
