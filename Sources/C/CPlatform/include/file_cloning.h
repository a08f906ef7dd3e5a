// Calls that create files atomically, which Swift cannot make.

#ifndef TPICK_FILE_CLONING_H
#define TPICK_FILE_CLONING_H

// Opens a file without a name in an open folder; unless it is given a name, it vanishes with its descriptor.
// Returns a descriptor, or -1 with errno; EOPNOTSUPP, EISDIR and ENOENT if the file system does not support it.
int file_open_unnamed(int folder, unsigned mode);

// Gives an unnamed file a name in a folder, unless the name exists. Returns 0, or -1 with errno.
int file_name_unnamed(int descriptor, int folder, const char *name);

// Whether an errno value means that the file system lacks a call, rather than that it failed.
int file_lacks_call(int error);

// Renames a file, possibly into another folder, unless the new name exists. Returns 0 if it was renamed, 1 if it
// was linked, in which case watchers of the folder are notified only of its creation; or -1 with errno.
int file_rename_new(int from_folder, const char *from, int to_folder, const char *to);

// Moves a file, a folder, or a symbolic link itself, unless the new name exists. Only renames: never copies, links
// or removes. Returns 0, or -1 with errno; EINVAL if the file system does not support it.
int file_move(int from_folder, const char *from, int to_folder, const char *to);

// Flushes a folder's whole file system to disk: what all its files and folders contain. Returns 0, or -1 with errno;
// EOPNOTSUPP on a FUSE file system, whose server the kernel does not tell.
int file_system_flush(int folder);

// Notifies watchers of a folder that a file in it was written, by opening it for writing and closing it.
void file_announce(int folder, const char *name);

// Makes an empty file share the blocks of another one (FICLONE). Returns 0, or -1 with errno.
int file_clone(int source, int target);

#endif
