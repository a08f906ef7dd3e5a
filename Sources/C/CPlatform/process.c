#define _GNU_SOURCE
#include "include/process.h"

#include <pthread.h>
#include <sys/auxv.h>

static int count;
static char **words;

// glibc passes the arguments of main to constructors.
__attribute__((constructor)) static void note(int argc, char **argv) {
  count = argc;
  words = argv;
}

int process_argument_count(void) { return count; }

const char *process_argument(int index) { return index >= 0 && index < count ? words[index] : NULL; }

void process_set_stack_size(size_t bytes) {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, bytes) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

const char *process_program(void) { return (const char *)getauxval(AT_EXECFN); }
