#define _GNU_SOURCE
#include "landlock.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The build system's headers may be older than the running kernel: these definitions are those of
// <linux/landlock.h> since Linux 6.12.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

// ABI versions that added a right.
enum { WITH_REFER = 2, WITH_TRUNCATE = 3, WITH_NETWORK = 4, WITH_DEVICES = 5, WITH_SCOPES = 6 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct path_beneath {
  uint64_t rights;
  int32_t place;
} __attribute__((packed));

// Execute, write, read, list, and ten rights to remove and create entries; linking into another folder, truncating,
// and device calls were added later.
static uint64_t file_rights(int version) {
  uint64_t rights = (1u << 13) - 1;
  if (version >= WITH_REFER) rights |= 1u << 13;
  if (version >= WITH_TRUNCATE) rights |= RIGHT_TRUNCATE;
  if (version >= WITH_DEVICES) rights |= 1u << 15;
  return rights;
}

// The kernel accepts the part of the attributes that its version knows and rejects a larger structure.
static size_t size_for(int version) {
  if (version >= WITH_SCOPES) return sizeof(struct ruleset);
  return version >= WITH_NETWORK ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
}

int32_t landlock_close(const struct kept_place *places, size_t count) {
  int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  // Binding and connecting TCP sockets; abstract Unix sockets and signals to processes outside.
  struct ruleset rules = {.files = file_rights(version), .network = 3, .scopes = 3};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size_for(version), 0);
  if (ruleset < 0) return 0;
  for (size_t i = 0; i < count; i++) {
    struct path_beneath rule = {.rights = places[i].rights & rules.files, .place = places[i].descriptor};
    if (rule.place >= 0) (void)syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
  }
  int is_closed = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return is_closed ? version : 0;
}
