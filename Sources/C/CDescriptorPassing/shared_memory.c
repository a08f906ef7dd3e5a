#define _GNU_SOURCE
#include "include/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNCHANGING = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

int shared_memory_make(size_t size, void **bytes) {
  int descriptor = memfd_create("tpick-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  if (ftruncate(descriptor, (off_t)size) == 0) {
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped != MAP_FAILED) {
      *bytes = mapped;
      return descriptor;
    }
  }
  int failure = errno;
  close(descriptor);
  return -failure;
}

int shared_memory_seal(int descriptor, void *bytes, size_t size) {
  munmap(bytes, size);
  return fcntl(descriptor, F_ADD_SEALS, UNCHANGING | F_SEAL_SEAL) == 0 ? 0 : errno;
}

const void *shared_memory_map(int descriptor, size_t size) {
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & UNCHANGING) != UNCHANGING) return NULL;
  struct stat facts;
  if (fstat(descriptor, &facts) != 0 || facts.st_size < 0 || (size_t)facts.st_size < size) return NULL;
  const void *mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
  return mapped == MAP_FAILED ? NULL : mapped;
}

int memory_file_create(void) { return memfd_create("tpick", MFD_CLOEXEC); }
