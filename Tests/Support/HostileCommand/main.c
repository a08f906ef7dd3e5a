#define _GNU_SOURCE
#include "tries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A program that tries to escape from the sandbox and prints the result of each try on a line. Its arguments are what it
// knows about the outside; with "control" as the first it runs outside, and tries only what does no harm there.

int result_of(long value) { return value < 0 ? (errno ? errno : EIO) : 0; }

int opened(const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static void attempt(const struct try *tries, size_t count, const struct outside *outside, bool is_control) {
  for (size_t i = 0; i < count; i++) {
    if (is_control && !tries[i].is_control) continue;
    errno = 0;
    int failure = tries[i].attempt(outside);
    printf("%s\t%s\t%s\n", failure ? "refused" : "worked", tries[i].name, failure ? strerrorname_np(failure) : "");
    fflush(stdout);
  }
}

int main(int count, char *words[]) {
  if (count == 2 && strcmp(words[1], "screen") == 0) return run_screen_tries();
  bool is_control = count > 1 && strcmp(words[1], "control") == 0;
  char **given = words + (is_control ? 2 : 1);
  if (count - (is_control ? 2 : 1) != 11) return 64;
  struct outside outside = {.photo = given[0], .folder = given[1], .cache = given[2], .index = given[3],
                            .home = given[4], .bus = given[5], .abstract_name = given[6], .port = atoi(given[7]),
                            .process = atoi(given[8]), .granted = given[9], .writable = given[10]};
  attempt(file_tries, file_try_count, &outside, is_control);
  attempt(write_tries, write_try_count, &outside, is_control);
  attempt(process_tries, process_try_count, &outside, is_control);
  attempt(kernel_tries, kernel_try_count, &outside, is_control);
  attempt(socket_tries, socket_try_count, &outside, is_control);
  printf("end\n");
  return 0;
}
