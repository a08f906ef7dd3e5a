#define _GNU_SOURCE
#include "escapes.h"

#include "confinement.h"
#include "descriptor_passing.h"
#include "helper_start.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A helper that a file has compromised: it confines itself like the real ones, receives a file and memory, and tries
// everything. It reports the result of each attempt in lines on its socket, its only connection.
//
// Its name selects the behavior: "single" is a helper without threads, "threads" one with them; "unconfined" is the
// control, and "parent" starts the program called "child" beside it and waits to be killed.

static void say(const char *words) { (void)send(STDIN_FILENO, words, strlen(words), MSG_NOSIGNAL); }

static void attempt(const struct escape *escapes, size_t count, const struct surroundings *all) {
  for (size_t i = 0; i < count; i++) {
    long result = escapes[i].attempt(all);
    // The errors of the filter and of Landlock: any other means that the kernel did not block the call.
    bool is_refused = result == -EPERM || result == -ENOSYS || result == -EACCES;
    char line[160];
    snprintf(line, sizeof line, "%s\t%s\t%ld\n", is_refused ? "refused" : "worked", escapes[i].name, result);
    say(line);
  }
}

static int escape(const char *folder, const char *profile) {
  struct surroundings all;
  if (!surroundings_make(&all, folder)) return 2;
  bool has_threads = strcmp(profile, "threads") == 0;
  if (strcmp(profile, "unconfined") != 0 && !confine((uint64_t)4 << 30, has_threads).has_filter) return 3;
  int arrived[DESCRIPTORS_PER_MESSAGE];
  size_t count = 0;
  bool are_lost = false;
  char byte;
  if (descriptors_receive(STDIN_FILENO, &byte, 1, arrived, &count, &are_lost) != 1 || count != 2) return 4;
  all.input = arrived[0];
  all.memory = arrived[1];
  give_up_after(60);
  attempt(file_escapes, file_escape_count, &all);
  attempt(descriptor_escapes, descriptor_escape_count, &all);
  attempt(socket_escapes, socket_escape_count, &all);
  // Calls permitted to a helper with threads are no escapes.
  attempt(process_escapes, process_escape_count - (has_threads ? 1 : 0), &all);
  attempt(kernel_escapes, kernel_escape_count, &all);
  say("end\n");
  return 0;
}

// Starts a helper whose socket a third process keeps open, so that the socket's closing can't end it.
static int be_parent(const char *folder) {
  char program[4096], line[64];
  snprintf(program, sizeof program, "%s/child", folder);
  pid_t helper;
  int socket;
  if (helper_start(program, &helper, &socket) != 0) return 2;
  pid_t keeper = fork();
  if (keeper == 0) {
    alarm(300);
    while (1) pause();
  }
  // Its greeting: by then it has requested the parent-death signal.
  char byte;
  if (recv(socket, &byte, 1, 0) != 1) return 3;
  snprintf(line, sizeof line, "%d %d\n", helper, keeper);
  say(line);
  while (1) pause();
}

int main(int count, char *arguments[]) {
  if (count < 1) return 1;
  static char path[4096];
  strncpy(path, arguments[0], sizeof path - 1);
  char *name = strrchr(path, '/');
  if (!name) return 1;
  *name++ = 0;
  return strcmp(name, "parent") == 0 ? be_parent(path) : escape(path, name);
}
