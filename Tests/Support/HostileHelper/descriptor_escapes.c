#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

static long write_input(const struct surroundings *all) { return outcome(syscall(SYS_pwrite64, all->input, "x", 1L, 0L)); }

static long truncate_memory(const struct surroundings *all) { return outcome(ftruncate(all->memory, 1L << 40)); }

static long change_mode_of_input(const struct surroundings *all) { return outcome(fchmod(all->input, 0600)); }

static long change_attribute_of_input(const struct surroundings *all) {
  return outcome(fsetxattr(all->input, "user.tpick", "x", 1, 0));
}

static long change_times_of_input(const struct surroundings *all) { return outcome(futimens(all->input, NULL)); }

static long lock_input(const struct surroundings *all) { return outcome(syscall(SYS_flock, all->input, 1 /* LOCK_SH */)); }

static long seal_memory(const struct surroundings *all) {
  return outcome(fcntl(all->memory, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_FUTURE_WRITE));
}

static long fill_memory(const struct surroundings *all) { return outcome(fallocate(all->memory, 0, 0, 4096)); }

static long write_memory(const struct surroundings *all) { return outcome(syscall(SYS_pwrite64, all->memory, "x", 1L, 0L)); }

static long write_output(const struct surroundings *all) {
  (void)all;
  return outcome(write(STDOUT_FILENO, "x", 1));
}

static long read_socket(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_read, STDIN_FILENO, NULL, 0L));
}

static long copy_descriptor(const struct surroundings *all) { return outcome(dup(all->input)); }

static long signal_others_by_socket(const struct surroundings *all) {
  return outcome(fcntl(STDIN_FILENO, F_SETOWN, all->parent));
}

static long ask_device(const struct surroundings *all) {
  (void)all;
  return outcome(ioctl(STDIN_FILENO, FIONREAD, &(int){0}));
}

static long make_memory(const struct surroundings *all) {
  (void)all;
  return outcome(memfd_create("x", MFD_CLOEXEC));
}

static long make_pipe(const struct surroundings *all) {
  (void)all;
  return outcome(pipe2((int[2]){0}, 0));
}

static long make_event(const struct surroundings *all) {
  (void)all;
  return outcome(syscall(SYS_eventfd2, 0, 0));
}

// The file was opened read-only: a shared writable mapping is refused without any confinement as well.
static long find_descriptors(const struct surroundings *all) {
  struct stat facts;
  for (int descriptor = STDERR_FILENO + 1; descriptor < 4096; descriptor++) {
    if (descriptor == all->input || descriptor == all->memory) continue;
    if (syscall(SYS_fstat, descriptor, &facts) == 0) return descriptor;
  }
  return -EPERM;
}

static long find_environment(const struct surroundings *all) {
  (void)all;
  return environ && *environ ? 0 : -EPERM;
}

static long map_code(const struct surroundings *all) {
  (void)all;
  return outcome((long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static long map_code_of_file(const struct surroundings *all) {
  return outcome((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, all->memory, 0));
}

static long make_code(const struct surroundings *all) {
  (void)all;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

const struct escape descriptor_escapes[] = {
    {"write its input", write_input},
    {"resize the memory of the picture", truncate_memory},
    {"write the memory of the picture by a call", write_memory},
    {"allocate the memory of the picture", fill_memory},
    {"fchmod its input", change_mode_of_input},
    {"fsetxattr its input", change_attribute_of_input},
    {"change the times of its input", change_times_of_input},
    {"lock its input", lock_input},
    {"write standard output", write_output},
    {"read standard input", read_socket},
    {"dup", copy_descriptor},
    {"have the kernel signal others (F_SETOWN)", signal_others_by_socket},
    {"ioctl", ask_device},
    {"memfd_create", make_memory},
    {"pipe", make_pipe},
    {"eventfd", make_event},
    {"a descriptor left open", find_descriptors},
    {"a variable left in the environment", find_environment},
    {"map memory with code", map_code},
    {"map a file with code", map_code_of_file},
    {"turn memory into code", make_code},
    {"seal the memory of the picture", seal_memory},
};
const size_t descriptor_escape_count = sizeof descriptor_escapes / sizeof *descriptor_escapes;
