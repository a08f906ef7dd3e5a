#define _GNU_SOURCE
#include "include/confinement.h"

#include "filter.h"
#include "landlock.h"
#include "limits.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct confinement confine(uint64_t memory, bool has_threads) {
  end_with_parent(STDIN_FILENO);
  limit_decoder(memory, has_threads);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Do not keep a folder busy that the user may want to unmount.
  if (chdir("/") != 0) { }
  struct confinement state = {.landlock = landlock_close(NULL, 0)};
  // Sanitizers read the memory maps of the process, and more; they get the weaker filter, which still refuses
  // everything that reaches beyond the process.
  state.has_filter = has_sanitizer() ? filter_program() : filter_decoder(has_threads);
  return state;
}

// The folders, the null device, and the two files.
enum { MOST_FOLDERS = 24, MOST_PLACES = MOST_FOLDERS + 3 };

struct confinement confine_program(const char *const *folders, size_t count, int input, int output) {
  end_with_reader(STDOUT_FILENO);
  limit_program();
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (chdir("/") != 0) { }
  if (count > MOST_FOLDERS) return (struct confinement){0};
  struct kept_place places[MOST_PLACES];
  size_t opened = 0;
  for (; opened < count; opened++) {
    places[opened].descriptor = open(folders[opened], O_PATH | O_CLOEXEC);
    places[opened].rights = RIGHT_READ_FILE | RIGHT_READ_DIR | RIGHT_EXECUTE;
  }
  const uint64_t both = RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_TRUNCATE;
  places[opened++] = (struct kept_place){open("/dev/null", O_PATH | O_CLOEXEC), both};
  places[opened] = (struct kept_place){input, RIGHT_READ_FILE};
  places[opened + 1] = (struct kept_place){output, both};
  struct confinement state = {.landlock = landlock_close(places, opened + 2)};
  for (size_t i = 0; i < opened; i++) {
    if (places[i].descriptor >= 0) close(places[i].descriptor);
  }
  state.has_filter = filter_program();
  return state;
}

void give_up_after(unsigned seconds) { (void)alarm(seconds); }

int64_t confined_file_size(int descriptor) {
  struct stat facts;
  if (syscall(SYS_fstat, descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
  return facts.st_size;
}
