// sd-bus, the D-Bus library of libsystemd, and the parts that Swift cannot express: method tables are made by
// macros.

#ifndef TPICK_SESSION_BUS_H
#define TPICK_SESSION_BUS_H

#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>

// Each returns 0, or a negative errno value. The slot owns the object: releasing it removes the object from the
// bus.

// Serves org.freedesktop.impl.portal.FileChooser on a path; the handler receives the calls of all methods.
int session_bus_serve_chooser(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context);

// Serves org.freedesktop.impl.portal.Request on a path; the handler receives the calls of Close.
int session_bus_serve_request(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context);

// Replies to a call with an error of this name.
int session_bus_refuse(sd_bus_message *call, const char *name, const char *message);

// Returns a descriptor that becomes readable when the process has ended (pidfd_open(2)), closed by an exec; or a
// negative errno value.
int process_end_open(pid_t process);

// Calls a function in a fork of this process, which has one thread, and exits the fork with the result as its
// status: a call that waits for an unresponsive disk then blocks no other process. Only the standard streams are
// open there. Returns 0, or an errno value.
int process_ask(int (*question)(void *), void *context, pid_t *process);

#endif
