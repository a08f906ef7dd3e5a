#define _GNU_SOURCE
#include "include/sandbox_filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// Calls that a program may attempt and can do without.
static const int REFUSED[] = {
    // Memory and descriptors of other processes.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp), SCMP_SYS(pidfd_getfd),
    // Keyrings have no namespaces.
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl),
    // Namespaces and mounts.
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    // Kernel interfaces that photo programs do not need.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(fanotify_init), SCMP_SYS(lookup_dcookie),
    SCMP_SYS(syslog), SCMP_SYS(uselib), SCMP_SYS(vmsplice), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages),
    SCMP_SYS(mbind), SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy), SCMP_SYS(modify_ldt), SCMP_SYS(vm86),
    SCMP_SYS(vm86old), SCMP_SYS(nfsservctl), SCMP_SYS(quotactl), SCMP_SYS(acct),
    // The machine.
    SCMP_SYS(reboot), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(stime),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup),
};

// Calls for which libraries have a fallback.
static const int MISSING[] = {
    // The C library falls back to clone(2), whose flags a filter can read.
    SCMP_SYS(clone3), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount),
    SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
};

// Calls that libseccomp has no names for yet, by their numbers, which are the same on all architectures
// (quotactl_fd, open_tree_attr).
static const int MISSING_NUMBERS[] = {443, 467};

static const uint64_t NAMESPACES[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                      CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

// The kernel's highest socket family, with room for future ones.
enum { FAMILIES = 64 };

static bool is_allowed_family(int family) {
  return family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
}

static int refuse(scmp_filter_ctx filter, int call, struct scmp_arg_cmp argument) {
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1, argument);
}

static int refuse_uses(scmp_filter_ctx filter) {
  int failure = 0;
  for (size_t i = 0; i < sizeof NAMESPACES / sizeof *NAMESPACES; i++) {
    failure |= refuse(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, NAMESPACES[i], NAMESPACES[i]));
  }
  // Injecting keystrokes for the next reader of the terminal (ioctl_tty(2)). The kernel examines 32 bits of the
  // number.
  failure |= refuse(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCSTI));
  failure |= refuse(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCLINUX));
  for (int family = 0; family < FAMILIES; family++) {
    if (is_allowed_family(family)) continue;
    failure |= refuse(filter, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, (scmp_datum_t)family));
  }
  failure |= refuse(filter, SCMP_SYS(socket), SCMP_A0_32(SCMP_CMP_GE, FAMILIES));
  return failure;
}

static int fill(scmp_filter_ctx filter) {
  int failure = 0;
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), REFUSED[i], 0);
  }
  for (size_t i = 0; i < sizeof MISSING / sizeof *MISSING; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), MISSING[i], 0);
  }
  for (size_t i = 0; i < sizeof MISSING_NUMBERS / sizeof *MISSING_NUMBERS; i++) {
    failure |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), MISSING_NUMBERS[i], 0);
  }
  failure |= refuse_uses(filter);
  // Calls with numbers of other architectures, which the rules do not cover.
  failure |= seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  return failure;
}

int sandbox_filter_write(int descriptor) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return ENOMEM;
  int failure = fill(filter) ? EINVAL : -seccomp_export_bpf(filter, descriptor);
  seccomp_release(filter);
  return failure;
}
