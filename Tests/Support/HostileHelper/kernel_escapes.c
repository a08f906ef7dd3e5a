#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

// A call that would change the machine gets invalid arguments: a kernel that examines them has not blocked it.

static long add_key(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_add_key, "user", "tpick-test", "x", 1L, -1L /* of the thread */));
}

static long ask_for_key(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_keyctl, 0L /* KEYCTL_GET_KEYRING_ID */, -1L, 1L));
}

static long request_key(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_request_key, NULL, NULL, NULL, 0L)); }

static long make_ring(const struct surroundings *all) {
  (void)all;
  struct io_uring_params parameters;
  memset(&parameters, 0, sizeof parameters);
  return outcome(syscall(SYS_io_uring_setup, 1L, &parameters));
}

static long enter_ring(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_io_uring_enter, -1L, 0L, 0L, 0L, NULL, 0L));
}

static long make_queue(const struct surroundings *all) {
  unsigned long context = 0;
  (void)all;
  return outcome(syscall(SYS_io_setup, 1L, &context));
}

static long load_program(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_bpf, 0L, NULL, 0L)); }
static long measure(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_perf_event_open, NULL, 0L, -1L, -1L, 0L)); }
static long take_faults(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_userfaultfd, 0L)); }
static long change_personality(const struct surroundings *all) { return (void)all, outcome(personality(0xFFFFFFFF)); }
static long splice_memory(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_vmsplice, -1L, NULL, 0L, 0L)); }
static long name_machine(const struct surroundings *all) { return (void)all, outcome(sethostname((const char *)1, 8)); }
static long load_module(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_init_module, NULL, 0L, NULL)); }

static long share_memory(const struct surroundings *all) {
  int made = shmget(IPC_PRIVATE, 4096, 0600);
  (void)all;
  if (made < 0) return -errno;
  shmctl(made, IPC_RMID, NULL);
  return made;
}

static long send_messages(const struct surroundings *all) {
  int made = msgget(IPC_PRIVATE, 0600);
  (void)all;
  if (made < 0) return -errno;
  msgctl(made, IPC_RMID, NULL);
  return made;
}

static long make_semaphore(const struct surroundings *all) {
  int made = semget(IPC_PRIVATE, 1, 0600);
  (void)all;
  if (made < 0) return -errno;
  semctl(made, 0, IPC_RMID);
  return made;
}

static long mount_something(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_mount, NULL, (char *)1, NULL, 0L, NULL)); }
static long unmount(const struct surroundings *all) { return outcome(umount2(all->fresh, 0)); }
static long mount_by_descriptor(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_fsopen, (char *)1, 0L)); }
static long change_root(const struct surroundings *all) { return outcome(chroot(all->fresh)); }
static long pivot_root(const struct surroundings *all) { return outcome(syscall(SYS_pivot_root, all->fresh, all->fresh)); }
static long join_namespace(const struct surroundings *all) { return (void)all, outcome(setns(-1, 0)); }
static long make_namespace(const struct surroundings *all) { return (void)all, outcome(unshare(CLONE_NEWUTS)); }
static long be_another_user(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_setuid, (long)getuid())); }
static long set_capabilities(const struct surroundings *all) { return (void)all, outcome(syscall(SYS_capset, NULL, NULL)); }
static long make_user_namespace(const struct surroundings *all) { return (void)all, outcome(unshare(CLONE_NEWUSER)); }

#ifdef __x86_64__
static long call_by_x32(const struct surroundings *all) { return (void)all, outcome(syscall(0x40000000L | SYS_getuid)); }
#endif

const struct escape kernel_escapes[] = {
    {"add a key", add_key},
    {"ask for a keyring", ask_for_key},
    {"request a key", request_key},
    {"io_uring_setup", make_ring},
    {"io_uring_enter", enter_ring},
    {"io_setup", make_queue},
    {"bpf", load_program},
    {"perf_event_open", measure},
    {"userfaultfd", take_faults},
    {"personality", change_personality},
    {"vmsplice", splice_memory},
    {"sethostname", name_machine},
    {"load a module", load_module},
    {"shared memory of System V", share_memory},
    {"a message queue of System V", send_messages},
    {"a semaphore of System V", make_semaphore},
    {"mount", mount_something},
    {"umount", unmount},
    {"fsopen", mount_by_descriptor},
    {"chroot", change_root},
    {"pivot_root", pivot_root},
    {"setns", join_namespace},
    {"unshare", make_namespace},
    {"setuid", be_another_user},
    {"capset", set_capabilities},
    {"make a namespace for users", make_user_namespace},
#ifdef __x86_64__
    {"a call by the numbers of x32", call_by_x32},
#endif
};
const size_t kernel_escape_count = sizeof kernel_escapes / sizeof *kernel_escapes;
