#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// Since Linux 6.6: the C library's header may lack it.
enum { CALL_FCHMODAT2 = 452 };

static long read_file(const struct surroundings *all) { return outcome(syscall(SYS_openat, AT_FDCWD, all->file, O_RDONLY)); }

#ifdef SYS_open
static long read_file_by_open(const struct surroundings *all) { return outcome(syscall(SYS_open, all->file, O_RDONLY)); }
#endif

static long read_file_by_openat2(const struct surroundings *all) {
  struct open_how how = {.flags = O_RDONLY};
  return outcome(syscall(SYS_openat2, AT_FDCWD, all->file, &how, sizeof how));
}

static long read_passwords(const struct surroundings *all) {
  (void)all;
  return outcome(open("/etc/passwd", O_RDONLY));
}

static long write_file(const struct surroundings *all) { return outcome(open(all->file, O_WRONLY)); }

static long create_file(const struct surroundings *all) { return outcome(open(all->fresh, O_WRONLY | O_CREAT | O_EXCL, 0600)); }

static long nameless_file(const struct surroundings *all) { return outcome(open(all->folder, O_WRONLY | O_TMPFILE, 0600)); }

static long list_folder(const struct surroundings *all) { return outcome(open(all->folder, O_RDONLY | O_DIRECTORY)); }

static long point_at_file(const struct surroundings *all) { return outcome(open(all->file, O_PATH)); }

static long open_memory_of_itself(const struct surroundings *all) {
  (void)all;
  return outcome(open("/proc/self/mem", O_RDWR));
}

static long open_descriptor_again(const struct surroundings *all) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", all->input);
  return outcome(open(path, O_RDWR));
}

static long read_environment_of_parent(const struct surroundings *all) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", all->parent);
  return outcome(open(path, O_RDONLY));
}

static long look_at_file(const struct surroundings *all) {
  struct stat facts;
  return outcome(stat(all->file, &facts));
}

static long look_at_file_by_statx(const struct surroundings *all) {
  struct statx facts;
  return outcome(syscall(SYS_statx, AT_FDCWD, all->file, 0, STATX_ALL, &facts));
}

static long ask_for_access(const struct surroundings *all) { return outcome(access(all->file, R_OK)); }

static long read_link(const struct surroundings *all) {
  (void)all;
  char target[256];
  return outcome(readlink("/proc/self/exe", target, sizeof target));
}

static long change_folder(const struct surroundings *all) { return outcome(chdir(all->folder)); }

static long make_folder(const struct surroundings *all) { return outcome(mkdir(all->fresh, 0700)); }

static long remove_folder(const struct surroundings *all) { return outcome(rmdir(all->fresh)); }

static long make_link(const struct surroundings *all) { return outcome(link(all->file, all->fresh)); }

static long make_symbolic_link(const struct surroundings *all) { return outcome(symlink("/etc/passwd", all->fresh)); }

static long make_pipe(const struct surroundings *all) { return outcome(mknod(all->fresh, S_IFIFO | 0600, 0)); }

static long rename_file(const struct surroundings *all) { return outcome(rename(all->spare, all->fresh)); }

static long remove_file(const struct surroundings *all) { return outcome(unlink(all->fresh)); }

static long truncate_file(const struct surroundings *all) { return outcome(truncate(all->file, 1)); }

static long change_mode(const struct surroundings *all) { return outcome(syscall(SYS_fchmodat, AT_FDCWD, all->file, 0666)); }

static long change_mode_by_fchmodat2(const struct surroundings *all) {
  return outcome(syscall(CALL_FCHMODAT2, AT_FDCWD, all->file, 0600, 0));
}

static long change_owner(const struct surroundings *all) { return outcome(chown(all->file, getuid(), getgid())); }

static long change_attribute(const struct surroundings *all) { return outcome(setxattr(all->file, "user.tpick", "x", 1, 0)); }

static long change_times(const struct surroundings *all) { return outcome(utimensat(AT_FDCWD, all->file, NULL, 0)); }

static long watch_folder(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_inotify_init1, 0));
}

static long take_handle(const struct surroundings *all) {
  struct {
    struct file_handle head;
    char room[128];
  } handle = {.head = {.handle_bytes = 128}};
  int mount;
  return outcome(name_to_handle_at(AT_FDCWD, all->file, &handle.head, &mount, 0));
}

const struct escape file_escapes[] = {
    {"open a file for reading", read_file},
#ifdef SYS_open
    {"open a file by the older call", read_file_by_open},
#endif
    {"open a file by openat2", read_file_by_openat2},
    {"open /etc/passwd", read_passwords},
    {"open a file for writing", write_file},
    {"create a file", create_file},
    {"remove a file", remove_file},
    {"make a file without a name", nameless_file},
    {"open a folder", list_folder},
    {"open a path", point_at_file},
    {"open /proc/self/mem", open_memory_of_itself},
    {"open its input again for writing", open_descriptor_again},
    {"open the environment of its parent", read_environment_of_parent},
    {"stat", look_at_file},
    {"statx", look_at_file_by_statx},
    {"access", ask_for_access},
    {"readlink", read_link},
    {"chdir", change_folder},
    {"mkdir", make_folder},
    {"rmdir", remove_folder},
    {"link", make_link},
    {"unlink", remove_file},
    {"symlink", make_symbolic_link},
    {"unlink again", remove_file},
    {"mknod", make_pipe},
    {"unlink a pipe", remove_file},
    {"rename", rename_file},
    {"truncate", truncate_file},
    {"chmod", change_mode},
    {"fchmodat2", change_mode_by_fchmodat2},
    {"chown", change_owner},
    {"setxattr", change_attribute},
    {"utimensat", change_times},
    {"inotify", watch_folder},
    {"name_to_handle_at", take_handle},
};
const size_t file_escape_count = sizeof file_escapes / sizeof *file_escapes;
