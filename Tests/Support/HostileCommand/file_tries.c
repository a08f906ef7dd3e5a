#define _GNU_SOURCE
#include "tries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A path below a prefix, in memory that stays valid.
static const char *joined(const char *prefix, const char *path) {
  char *made = NULL;
  return asprintf(&made, "%s%s", prefix, path) < 0 ? "" : made;
}

// Whether a folder has any entry except one.
static int listed(const char *path, const char *expected) {
  DIR *folder = opendir(path);
  if (!folder) return errno;
  int failure = ENOENT;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (!expected || strcmp(entry->d_name, expected) != 0) failure = 0;
  }
  closedir(folder);
  return failure;
}

static int read_photo(const struct outside *o) { return opened(o->photo, O_RDONLY); }
static int find_photo(const struct outside *o) { return listed(o->folder, NULL); }
static int find_others(const struct outside *o) {
  char *name = strdup(o->granted), *end = strrchr(name, '/');
  *end = 0;
  return listed(name, end + 1);
}
static int link_photo(const struct outside *o) {
  const char *place = joined(o->writable, "/linked");
  int failure = result_of(link(o->photo, place));
  unlink(place);
  return failure;
}
static int follow_link(const struct outside *o) {
  const char *place = joined(o->writable, "/followed");
  if (symlink(o->photo, place) != 0) return errno;
  int failure = opened(place, O_RDONLY);
  unlink(place);
  return failure;
}
static int by_root(const struct outside *o) { return opened(joined("/proc/1/root", o->photo), O_RDONLY); }
static int above_root(const struct outside *o) { return opened(joined("/../../../..", o->photo), O_RDONLY); }
static int by_working_folder(const struct outside *o) {
  char place[64];
  snprintf(place, sizeof place, "/proc/%d/cwd/../../../../../..", getppid());
  return opened(joined(place, o->photo), O_RDONLY);
}
static int by_outer_root(const struct outside *o) {
  char place[64];
  snprintf(place, sizeof place, "/proc/%d/root", o->process);
  return opened(joined(place, o->photo), O_RDONLY);
}
static int above_streams(const struct outside *o) {
  int failure = ENOTDIR;
  for (int stream = 0; stream < 3; stream++) {
    int file = openat(stream, joined("../../../../../../../..", o->photo), O_RDONLY | O_CLOEXEC);
    if (file >= 0) failure = 0;
  }
  return failure;
}
static int left_open(const struct outside *o) {
  (void)o;
  for (int number = 3; number < 1024; number++) {
    if (fcntl(number, F_GETFD) >= 0) return 0;
  }
  return EBADF;
}
static int by_handle(const struct outside *o) {
  struct file_handle *handle = calloc(1, sizeof *handle + MAX_HANDLE_SZ);
  handle->handle_bytes = MAX_HANDLE_SZ;
  int mount;
  return result_of(name_to_handle_at(AT_FDCWD, o->granted, handle, &mount, 0));
}
static int read_cache(const struct outside *o) { return listed(o->cache, NULL); }
static int read_index(const struct outside *o) { return opened(o->index, O_RDONLY); }
static int list_home(const struct outside *o) { return listed(o->home, NULL); }
static int list_homes(const struct outside *o) { return (void)o, listed("/home", "user"); }
static int list_root(const struct outside *o) { return (void)o, listed("/root", NULL); }
static int list_mounts(const struct outside *o) { return (void)o, opened("/mnt", O_RDONLY); }
static int list_media(const struct outside *o) { return (void)o, opened("/media", O_RDONLY); }
static int list_run(const struct outside *o) { return (void)o, opened("/run", O_RDONLY); }
static int list_temporary(const struct outside *o) { return listed("/tmp", NULL) && o ? ENOENT : 0; }
static int read_shadow(const struct outside *o) { return (void)o, opened("/etc/shadow", O_RDONLY); }
static int read_users(const struct outside *o) {
  (void)o;
  FILE *users = fopen("/etc/passwd", "re");
  char line[512];
  int failure = ENOENT;
  while (users && fgets(line, sizeof line, users)) {
    if (strncmp(line, "user:", 5) != 0) failure = 0;
  }
  if (users) fclose(users);
  return failure;
}
static int list_devices(const struct outside *o) { return (void)o, opened("/sys/class", O_RDONLY); }
static int list_boot(const struct outside *o) { return (void)o, opened("/boot", O_RDONLY); }
static int list_logs(const struct outside *o) { return (void)o, opened("/var/log", O_RDONLY); }

const struct try file_tries[] = {
    {"read a photo that was not granted", read_photo, true},
    {"list the folder of the photos", find_photo, true},
    {"find more than was granted beside it", find_others, false},
    {"make a hard link to a photo", link_photo, true},
    {"follow a symbolic link to a photo", follow_link, true},
    {"open a photo by the root of the first process", by_root, false},
    {"open a photo from above the root", above_root, true},
    {"open a photo by the working folder of the parent", by_working_folder, false},
    {"open a photo by the root of a process outside", by_outer_root, true},
    {"open a photo from above the standard streams", above_streams, false},
    {"find a descriptor that was left open", left_open, false},
    {"get a handle of a file", by_handle, false},
    {"list the cache", read_cache, true},
    {"read the index", read_index, true},
    {"list the user's home", list_home, true},
    {"list other homes", list_homes, false},
    {"list the home of root", list_root, false},
    {"list /mnt", list_mounts, true},
    {"list /media", list_media, true},
    {"list /run", list_run, true},
    {"find files of others in /tmp", list_temporary, false},
    {"read /etc/shadow", read_shadow, false},
    {"read who the users are", read_users, true},
    {"look at the devices", list_devices, true},
    {"look at /boot", list_boot, true},
    {"look at the logs", list_logs, true},
};
const size_t file_try_count = sizeof file_tries / sizeof *file_tries;
