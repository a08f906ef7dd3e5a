#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

// A file beside the granted photo.
static const char *beside(const struct outside *o) {
  static char path[4096];
  snprintf(path, sizeof path, "%s.new", o->granted);
  return path;
}

static int write_photo(const struct outside *o) { return opened(o->granted, O_WRONLY); }
static int reopen_photo(const struct outside *o) {
  char path[64];
  int file = open(o->granted, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  int failure = opened(path, O_RDWR);
  close(file);
  return failure;
}
static int cut_photo(const struct outside *o) { return result_of(truncate(o->granted, 0)); }
static int change_mode(const struct outside *o) { return result_of(chmod(o->granted, 0600)); }
static int change_times(const struct outside *o) { return result_of(utimes(o->granted, NULL)); }
static int mark_photo(const struct outside *o) { return result_of(setxattr(o->granted, "user.tpick", "x", 1, 0)); }
static int rename_photo(const struct outside *o) { return result_of(rename(o->granted, beside(o))); }
static int remove_photo(const struct outside *o) { return result_of(unlink(o->granted)); }
static int add_file(const struct outside *o) { return opened(beside(o), O_WRONLY | O_CREAT); }
static int add_link(const struct outside *o) { return result_of(symlink("/", beside(o))); }
static int remount(const struct outside *o) {
  return result_of(mount(NULL, o->granted, NULL, MS_REMOUNT | MS_BIND, NULL));
}
static int unmount(const struct outside *o) { return result_of(umount2(o->granted, MNT_DETACH)); }
static int write_list(const struct outside *o) { return (void)o, opened("/tpick/session/granted", O_WRONLY); }
static int take_portal(const struct outside *o) { return (void)o, result_of(unlink("/tpick/session/portal")); }
static int write_program(const struct outside *o) { return (void)o, opened("/usr/bin/tpick-made", O_WRONLY | O_CREAT); }
static int write_root(const struct outside *o) { return (void)o, opened("/made", O_WRONLY | O_CREAT); }
static int write_settings(const struct outside *o) { return (void)o, opened("/etc/made", O_WRONLY | O_CREAT); }
static int write_kernel_setting(const struct outside *o) { return (void)o, opened("/proc/sys/kernel/hostname", O_WRONLY); }
static int write_core_pattern(const struct outside *o) { return (void)o, opened("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int press_keys_of_kernel(const struct outside *o) { return (void)o, opened("/proc/sysrq-trigger", O_WRONLY); }
static int make_device(const struct outside *o) {
  char path[4096];
  snprintf(path, sizeof path, "%s/device", o->writable);
  int failure = result_of(mknod(path, S_IFBLK | 0600, makedev(8, 0)));
  unlink(path);
  return failure;
}
static int read_memory(const struct outside *o) { return (void)o, opened("/dev/mem", O_RDONLY); }
static int read_core(const struct outside *o) { return (void)o, opened("/proc/kcore", O_RDONLY); }
static int above_writable(const struct outside *o) {
  char path[4096];
  snprintf(path, sizeof path, "%s/../made", o->writable);
  return opened(path, O_WRONLY | O_CREAT);
}

const struct try write_tries[] = {
    {"open the granted photo for writing", write_photo, true},
    {"open it again for writing by /proc", reopen_photo, true},
    {"cut the granted photo", cut_photo, false},
    {"change its rights", change_mode, true},
    {"change its times", change_times, true},
    {"give it an attribute", mark_photo, false},
    {"rename it", rename_photo, false},
    {"remove it", remove_photo, false},
    {"add a file to the photos", add_file, false},
    {"add a link to the photos", add_link, false},
    {"mount the photo for writing", remount, false},
    {"unmount the photo", unmount, false},
    {"write the list of granted photos", write_list, false},
    {"take the portal's place", take_portal, false},
    {"add a program to /usr", write_program, false},
    {"add a file to the root", write_root, false},
    {"add a file to /etc", write_settings, false},
    {"write a setting of the kernel", write_kernel_setting, false},
    {"write the program for core files", write_core_pattern, false},
    {"write to /proc/sysrq-trigger", press_keys_of_kernel, false},
    {"make a device", make_device, false},
    {"open the machine's memory", read_memory, false},
    {"open the kernel's memory", read_core, false},
    {"write above the folder for results", above_writable, false},
};
const size_t write_try_count = sizeof write_tries / sizeof *write_tries;
