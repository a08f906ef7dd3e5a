// dead-disk MOUNTPOINT FOLDER [--dead]: a disk that dies, for tests of programs that use it.
//
// Shows a folder through FUSE (fuse(4)), read-only, and leaves some requests unanswered: opening files whose names begin
// with "unopened", reading those with "unread", listing folders with "unlisted"; with --dead all requests. Prints
// "mounted" once it is ready, and unmounts and exits when its input ends, or after some minutes.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 4096, DATA = 1 << 16, LONGEST_LIFE = 300 };

static const char *mount_point;
static int device;
// The paths by node number; the root is 1.
static char *paths[NODES + 1];
static unsigned node_count;

static _Noreturn void end(int status) {
  umount2(mount_point, MNT_DETACH);
  exit(status);
}

static unsigned node_of(const char *path) {
  for (unsigned node = 1; node <= node_count; node++) {
    if (strcmp(paths[node], path) == 0) return node;
  }
  if (node_count == NODES) end(3);
  paths[++node_count] = strdup(path);
  return node_count;
}

static void answer(const struct fuse_in_header *request, int error, const void *bytes, size_t count) {
  static char reply[sizeof(struct fuse_out_header) + DATA];
  struct fuse_out_header header = {
      .len = (unsigned)(sizeof header + count), .error = error, .unique = request->unique};
  memcpy(reply, &header, sizeof header);
  if (count) memcpy(reply + sizeof header, bytes, count);
  // The requesting process may have ended.
  (void)!write(device, reply, header.len);
}

static int attributes(const char *path, struct fuse_attr *attributes) {
  struct stat facts;
  if (lstat(path, &facts) != 0) return -errno;
  *attributes = (struct fuse_attr){
      .ino = facts.st_ino, .size = (uint64_t)facts.st_size, .blocks = (uint64_t)facts.st_blocks,
      .atime = (uint64_t)facts.st_atim.tv_sec, .mtime = (uint64_t)facts.st_mtim.tv_sec,
      .ctime = (uint64_t)facts.st_ctim.tv_sec, .mtimensec = (uint32_t)facts.st_mtim.tv_nsec,
      .mode = facts.st_mode, .nlink = (uint32_t)facts.st_nlink, .uid = facts.st_uid, .gid = facts.st_gid,
      .blksize = 4096};
  return 0;
}

static bool is_named(const char *path, const char *word) {
  const char *slash = strrchr(path, '/');
  return strncmp(slash ? slash + 1 : path, word, strlen(word)) == 0;
}

static void look_up(const struct fuse_in_header *request, const char *path, const char *name) {
  char child[4096];
  struct fuse_entry_out entry = {.generation = 1};
  int error = snprintf(child, sizeof child, "%s/%s", path, name) < (int)sizeof child
                  ? attributes(child, &entry.attr)
                  : -ENAMETOOLONG;
  if (!error) entry.nodeid = node_of(child);
  answer(request, error, &entry, error ? 0 : sizeof entry);
}

static void read_file(const struct fuse_in_header *request, const char *path, const struct fuse_read_in *what) {
  static char bytes[DATA];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : pread(file, bytes, what->size < DATA ? what->size : DATA, (off_t)what->offset);
  if (file >= 0) close(file);
  answer(request, count < 0 ? -EIO : 0, bytes, count < 0 ? 0 : (size_t)count);
}

static void list(const struct fuse_in_header *request, const char *path, const struct fuse_read_in *what) {
  static char bytes[DATA];
  size_t filled = 0;
  uint64_t place = 0;
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (++place <= what->offset) continue;
    size_t length = strlen(entry->d_name);
    size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
    if (filled + size > what->size || filled + size > DATA) break;
    struct fuse_dirent *next = (struct fuse_dirent *)(bytes + filled);
    memset(next, 0, size);
    *next = (struct fuse_dirent){
        .ino = entry->d_ino, .off = place, .namelen = (uint32_t)length, .type = entry->d_type};
    memcpy(next->name, entry->d_name, length);
    filled += size;
  }
  if (folder) closedir(folder);
  answer(request, 0, bytes, filled);
}

static void serve(const struct fuse_in_header *request, const void *body) {
  const char *path = paths[request->nodeid && request->nodeid <= node_count ? request->nodeid : 1];
  const struct fuse_open_out opened = {.open_flags = FOPEN_DIRECT_IO};
  switch (request->opcode) {
  case FUSE_FORGET:
  case FUSE_BATCH_FORGET:
  case FUSE_INTERRUPT: break;
  case FUSE_LOOKUP: look_up(request, path, body); break;
  case FUSE_GETATTR: {
    struct fuse_attr_out facts = {0};
    int error = attributes(path, &facts.attr);
    answer(request, error, &facts, error ? 0 : sizeof facts);
    break;
  }
  case FUSE_OPEN:
    if (!is_named(path, "unopened")) answer(request, 0, &opened, sizeof opened);
    break;
  case FUSE_OPENDIR: answer(request, 0, &opened, sizeof opened); break;
  case FUSE_READ:
    if (!is_named(path, "unread")) read_file(request, path, body);
    break;
  case FUSE_READDIR:
    if (!is_named(path, "unlisted")) list(request, path, body);
    break;
  case FUSE_RELEASE:
  case FUSE_RELEASEDIR:
  case FUSE_FLUSH: answer(request, 0, NULL, 0); break;
  default: answer(request, -ENOSYS, NULL, 0);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  mount_point = argv[1];
  paths[++node_count] = argv[2];
  bool is_dead = argc > 3 && strcmp(argv[3], "--dead") == 0;
  device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  char options[128];
  snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=%u,group_id=%u", device, getuid(), getgid());
  if (device < 0 ||
      mount("dead-disk", mount_point, "fuse.dead-disk", MS_NOSUID | MS_NODEV | MS_RDONLY, options) != 0) {
    perror("dead-disk");
    return 2;
  }
  puts("mounted");
  fflush(stdout);
  time_t last = time(NULL) + LONGEST_LIFE;
  while (time(NULL) < last) {
    static char request[DATA + 4096];
    struct pollfd sources[] = {{.fd = device, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    if (poll(sources, 2, 1000) < 0 && errno != EINTR) break;
    if (sources[1].revents) break;
    if (!sources[0].revents) continue;
    ssize_t count = read(device, request, sizeof request);
    if (count < 0 && errno == ENODEV) break;
    if (count < (ssize_t)sizeof(struct fuse_in_header)) continue;
    const struct fuse_in_header *header = (const struct fuse_in_header *)request;
    if (header->opcode == FUSE_INIT) {
      struct fuse_init_out facts = {
          .major = 7, .minor = 31, .max_readahead = DATA, .max_write = DATA, .max_background = 64,
          .congestion_threshold = 48};
      answer(header, 0, &facts, sizeof facts);
    } else if (!is_dead) {
      serve(header, header + 1);
    }
  }
  end(0);
}
