#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A call that would change something gets invalid arguments: a kernel that examines them has not blocked it, and returns
// another errno than the filter.
static int filtered(long value) {
  if (value >= 0) return 0;
  return errno == EPERM || errno == ENOSYS ? errno : 0;
}

static int add_key(const struct outside *o) { return (void)o, filtered(syscall(SYS_add_key, NULL, NULL, NULL, 0L, 0L)); }
static int request_key(const struct outside *o) { return (void)o, filtered(syscall(SYS_request_key, NULL, NULL, NULL, 0L)); }
static int ask_keyring(const struct outside *o) { return (void)o, filtered(syscall(SYS_keyctl, 0L, -4L, 0L)); }
static int user_namespace(const struct outside *o) { return (void)o, filtered(unshare(CLONE_NEWUSER)); }
static int clone_namespace(const struct outside *o) {
  (void)o;
  // A thread of the caller in a user namespace is an error of its own: no process is created.
  return filtered(syscall(SYS_clone, (unsigned long)(CLONE_NEWUSER | CLONE_THREAD | CLONE_VM | CLONE_SIGHAND), NULL, NULL, NULL, 0L));
}
static int clone_by_structure(const struct outside *o) { return (void)o, filtered(syscall(SYS_clone3, NULL, 0L)); }
static int join_namespace(const struct outside *o) { return (void)o, filtered(setns(-1, 0)); }
static int mount_something(const struct outside *o) { return (void)o, filtered(syscall(SYS_mount, NULL, (char *)1, NULL, 0L, NULL)); }
static int unmount_something(const struct outside *o) { return (void)o, filtered(umount2("/nowhere", 0)); }
static int pivot(const struct outside *o) { return (void)o, filtered(syscall(SYS_pivot_root, "/nowhere", "/nowhere")); }
static int change_root(const struct outside *o) { return (void)o, filtered(chroot("/nowhere")); }
static int open_file_system(const struct outside *o) { return (void)o, filtered(syscall(SYS_fsopen, (char *)1, 0L)); }
static int open_mounts(const struct outside *o) { return (void)o, filtered(syscall(SYS_open_tree, -1L, "nowhere", 0L)); }
static int open_handle(const struct outside *o) { return (void)o, filtered(syscall(SYS_open_by_handle_at, -1L, NULL, 0L)); }
static int load_bpf(const struct outside *o) { return (void)o, filtered(syscall(SYS_bpf, 0L, NULL, 0L)); }
static int measure(const struct outside *o) { return (void)o, filtered(syscall(SYS_perf_event_open, NULL, 0L, -1L, -1L, 0L)); }
static int take_faults(const struct outside *o) { return (void)o, filtered(syscall(SYS_userfaultfd, ~0L)); }
static int make_ring(const struct outside *o) { return (void)o, filtered(syscall(SYS_io_uring_setup, 0L, NULL)); }
static int load_module(const struct outside *o) { return (void)o, filtered(syscall(SYS_init_module, NULL, 0L, NULL)); }
static int read_log(const struct outside *o) { return (void)o, filtered(syscall(SYS_syslog, 10L, NULL, 0L)); }
static int name_machine(const struct outside *o) { return (void)o, filtered(syscall(SYS_sethostname, NULL, 8L)); }
static int set_clock(const struct outside *o) { return (void)o, filtered(syscall(SYS_clock_settime, -1L, NULL)); }
static int restart(const struct outside *o) { return (void)o, filtered(syscall(SYS_reboot, 0L, 0L, 0L, NULL)); }
#ifdef __x86_64__
static int call_by_x32(const struct outside *o) { return (void)o, filtered(syscall(0x40000000L | SYS_getpid)); }
// The call getpid(2) by its 32-bit number.
static int call_by_32_bits(const struct outside *o) {
  (void)o;
  long value;
  __asm__ volatile("int $0x80" : "=a"(value) : "a"(20L) : "memory");
  return value > 0 ? 0 : (int)-value;
}
#endif
static int find_memory(const struct outside *o) {
  struct shmid_ds facts;
  // The first System V segment of any owner; the test has created one.
  (void)o;
  return result_of(shmctl(0, SHM_STAT, &facts));
}

const struct try kernel_tries[] = {
    {"add a key to a keyring", add_key, true},
    {"request a key", request_key, true},
    {"ask for a keyring", ask_keyring, true},
    {"make a namespace of users", user_namespace, false},
    {"start a process in a namespace of users", clone_namespace, true},
    {"start a process by clone3", clone_by_structure, true},
    {"join a namespace", join_namespace, true},
    {"mount", mount_something, true},
    {"unmount", unmount_something, true},
    {"pivot_root", pivot, true},
    {"chroot", change_root, true},
    {"fsopen", open_file_system, true},
    {"open_tree", open_mounts, true},
    {"open_by_handle_at", open_handle, true},
    {"bpf", load_bpf, true},
    {"perf_event_open", measure, false},
    {"userfaultfd", take_faults, false},
    {"io_uring_setup", make_ring, false},
    {"load a module", load_module, false},
    {"read the kernel's log", read_log, false},
    {"name the machine", name_machine, true},
    {"set the clock", set_clock, true},
    {"restart the machine", restart, true},
#ifdef __x86_64__
    {"a call by the numbers of x32", call_by_x32, false},
    {"a call by the numbers of 32 bits", call_by_32_bits, false},
#endif
    {"find shared memory of others", find_memory, false},
};
const size_t kernel_try_count = sizeof kernel_tries / sizeof *kernel_tries;
