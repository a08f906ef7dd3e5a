#include "child_environment.h"

#include <string.h>

extern char **environ;

static const char *const OF_PROGRAMS[] = {"PATH", "LD_LIBRARY_PATH"};

#ifdef DEBUG
static const char *const OF_TESTS[] = {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "TPICK_MUTATION"};
enum { TESTS = sizeof OF_TESTS / sizeof *OF_TESTS };
#else
static const char *const *const OF_TESTS = NULL;
enum { TESTS = 0 };
#endif

static char *variable(const char *name) {
  size_t count = strlen(name);
  for (char **entry = environ; entry && *entry; entry++) {
    if (strncmp(*entry, name, count) == 0 && (*entry)[count] == '=') return *entry;
  }
  return NULL;
}

static size_t add(char *variables[], size_t count, const char *name) {
  char *found = variable(name);
  if (found) variables[count++] = found;
  return count;
}

void child_environment(char *variables[CHILD_VARIABLES], bool is_program) {
  size_t count = 0;
  for (size_t i = 0; is_program && i < sizeof OF_PROGRAMS / sizeof *OF_PROGRAMS; i++) {
    count = add(variables, count, OF_PROGRAMS[i]);
  }
  for (size_t i = 0; i < TESTS; i++) count = add(variables, count, OF_TESTS[i]);
  variables[count] = NULL;
}
