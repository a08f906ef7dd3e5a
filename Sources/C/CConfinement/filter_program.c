#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Calls that no file converter needs.
static const int REFUSED[] = {
    // Other machines and the sockets of other processes.
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
    SCMP_SYS(accept4), SCMP_SYS(socketcall),
    // Other processes.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(tkill), SCMP_SYS(setpgid), SCMP_SYS(setsid),
    SCMP_SYS(setpriority), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setattr),
    SCMP_SYS(msgget), SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(semget), SCMP_SYS(semop),
    SCMP_SYS(semtimedop), SCMP_SYS(semctl), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink), SCMP_SYS(ipc),
    // Permissions, owners and attributes of files; Landlock has no right for the latter.
    SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown),
    SCMP_SYS(fchownat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(utimensat),
    SCMP_SYS(futimesat), SCMP_SYS(truncate), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink), SCMP_SYS(symlinkat),
    SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rmdir),
    SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    // The kernel: keys, rings, BPF programs, page faults, performance counters, watches.
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(io_setup), SCMP_SYS(io_submit), SCMP_SYS(bpf), SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open), SCMP_SYS(fanotify_init), SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1),
    SCMP_SYS(personality), SCMP_SYS(modify_ldt), SCMP_SYS(vmsplice), SCMP_SYS(lookup_dcookie), SCMP_SYS(syslog),
    // Namespaces and mounts.
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(umount), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
    // The machine, in case the process runs as root.
    SCMP_SYS(reboot), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(quotactl),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(stime), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(capset),
};

// Calls that libseccomp has no names for yet, by their numbers, which are the same on all architectures (fchmodat2,
// setxattrat, removexattrat, open_tree_attr, file_setattr).
static const int REFUSED_NUMBERS[] = {452, 463, 466, 467, 469};

static int refuse_with(scmp_filter_ctx filter, int call, struct scmp_arg_cmp first) {
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1, first);
}

static const uint64_t NAMESPACES[] = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                      CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

static int refuse_uses(scmp_filter_ctx filter) {
  // Signals to itself are allowed, for abort(3).
  int failure = refuse_with(filter, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
  failure |= refuse_with(filter, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
  // Limits of other processes.
  failure |= refuse_with(filter, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0));
  // Namespaces. Child processes are allowed: they cannot leave the process group, which is killed as a whole.
  for (size_t i = 0; i < sizeof NAMESPACES / sizeof *NAMESPACES; i++) {
    failure |= refuse_with(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, NAMESPACES[i], NAMESPACES[i]));
  }
  // Injecting keystrokes into a terminal (ioctl_tty(2)).
  failure |= refuse_with(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCSTI));
  failure |= refuse_with(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCLINUX));
  // Makes the C library fall back to clone(2), whose flags a filter can read.
  failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  return failure;
}

static bool load(scmp_filter_ctx filter) {
  int failure = 0;
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), REFUSED[i], 0);
  }
  for (size_t i = 0; i < sizeof REFUSED_NUMBERS / sizeof *REFUSED_NUMBERS; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), REFUSED_NUMBERS[i], 0);
  }
  failure |= refuse_uses(filter);
  failure |= seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  failure |= seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  return !failure && seccomp_load(filter) == 0;
}

bool filter_program(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return false;
  bool is_loaded = load(filter);
  seccomp_release(filter);
  return is_loaded;
}
