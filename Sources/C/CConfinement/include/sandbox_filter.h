// The system call filter (seccomp(2)) for programs in the sandbox, to be installed by the program that creates the
// sandbox.

#ifndef TPICK_SANDBOX_FILTER_H
#define TPICK_SANDBOX_FILTER_H

// Writes the filter to a descriptor as kernel instructions (struct sock_filter, linux/filter.h). It refuses what
// namespaces do not contain: injected keystrokes, keyrings, namespaces and mounts, other processes' memory, sockets
// other than local, internet and netlink ones, and calls through which sandboxes have been escaped before. Returns
// 0, or an errno value.
int sandbox_filter_write(int descriptor);

#endif
