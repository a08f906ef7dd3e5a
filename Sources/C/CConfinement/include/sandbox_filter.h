// The filter of system calls of a program that runs in the sandbox (seccomp(2)), for others to put into force.

#ifndef TPICK_SANDBOX_FILTER_H
#define TPICK_SANDBOX_FILTER_H

// Writes the filter to a descriptor, as the instructions that the kernel takes (struct sock_filter, linux/filter.h).
// It refuses what no namespace keeps inside: keys typed on the terminal for others, keyrings, namespaces and mounts, other
// processes' memory, sockets but local ones, those of the internet and netlink, and calls by whose holes sandboxes
// were left before.
// Returns 0, or an errno.
int sandbox_filter_write(int descriptor);

#endif
