// Calls that make files whole or not at all, which Swift can't make.

#ifndef TPICK_FILE_CLONING_H
#define TPICK_FILE_CLONING_H

// Opens a file without a name in an open folder: where nobody gives it one it is gone with its descriptor.
// Returns a descriptor, or -1 with errno; EOPNOTSUPP, EISDIR and ENOENT where the file system has no such files.
int file_open_unnamed(int folder, unsigned mode);

// Gives an unnamed file a name in a folder, unless there is one of that name. Returns 0, or -1 with errno.
int file_name_unnamed(int descriptor, int folder, const char *name);

// Whether an error says that a file system has no such call, rather than that it failed.
int file_lacks_call(int error);

// Gives a file of a folder another name, in that or another one, unless there is one of that name. Returns 0 where it was renamed,
// 1 where it was linked, of which watchers of the folder hear nothing but that there is a file; or -1 with errno.
int file_rename_new(int from_folder, const char *from, int to_folder, const char *to);

// Moves a file or a folder, or a symbolic link itself, unless there is something of that name, and never in another way than by its name:
// nothing is copied, linked or removed. Returns 0, or -1 with errno; EINVAL where the file system can't do that.
int file_move(int from_folder, const char *from, int to_folder, const char *to);

// Has watchers of a folder hear that a file in it is written: it is opened for writing under its name and closed.
void file_announce(int folder, const char *name);

// Has an empty file share the blocks of another one (FICLONE). Returns 0, or -1 with errno.
int file_clone(int source, int target);

#endif
