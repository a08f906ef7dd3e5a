// Calls that make files whole or not at all, which Swift can't make.

#ifndef TPICK_FILE_CLONING_H
#define TPICK_FILE_CLONING_H

// Opens a file without a name in an open folder: where nobody gives it one it is gone with its descriptor.
// Returns a descriptor, or -1 with errno; EOPNOTSUPP, EISDIR and ENOENT where the file system has no such files.
int file_open_unnamed(int folder, unsigned mode);

// Gives an unnamed file a name in a folder, unless there is one of that name. Returns 0, or -1 with errno.
int file_name_unnamed(int descriptor, int folder, const char *name);

// Gives a file of a folder another name, unless there is one of that name. Returns 0, or -1 with errno.
int file_rename_new(int folder, const char *from, const char *to);

// Has an empty file share the blocks of another one (FICLONE). Returns 0, or -1 with errno.
int file_clone(int source, int target);

#endif
