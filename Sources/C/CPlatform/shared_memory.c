#define _GNU_SOURCE
#include "include/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// A process that exceeds its file size limit gets SIGXFSZ.
static size_t largest_file(void) {
  struct rlimit limits;
  if (getrlimit(RLIMIT_FSIZE, &limits) != 0 || limits.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return limits.rlim_cur;
}

int shared_memory_make(size_t size) {
  int descriptor = memfd_create("tpick-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  size_t most = largest_file();
  if (ftruncate(descriptor, (off_t)(size < most ? size : most)) == 0 &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
    return descriptor;
  }
  int failure = errno;
  close(descriptor);
  return -failure;
}

int shared_memory_seal(int descriptor, size_t kept) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0) return errno;
  off_t first = (off_t)kept;
  if (first < facts.st_size && fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first,
                                         facts.st_size - first) != 0) {
    return errno;
  }
  return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) == 0 ? 0 : errno;
}

const void *shared_memory_map(int descriptor, size_t offset, size_t size) {
  // Private, although nothing is written: before Linux 6.7, sealed memory cannot be mapped shared. All of it is
  // read soon, so one call is cheaper than a fault for each page.
  const void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, (off_t)offset);
  return mapped == MAP_FAILED ? NULL : mapped;
}

int memory_file_create(void) { return memfd_create("tpick", MFD_CLOEXEC); }
