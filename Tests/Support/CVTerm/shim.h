#ifndef TPICK_CVTERM_SHIM_H
#define TPICK_CVTERM_SHIM_H

#include <spawn.h>
#include <stddef.h>
#include <vterm.h>

// Declarations that Swift's Glibc module hides, because it is compiled without _GNU_SOURCE.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *name, size_t size);
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);

// POSIX_SPAWN_SETSID: the program becomes a session leader.
enum { tpick_spawn_new_session = 0x80 };

#endif
