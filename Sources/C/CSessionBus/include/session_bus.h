// sd-bus, the D-Bus library of libsystemd, and what of it Swift can't say: tables of methods are made by macros.

#ifndef TPICK_SESSION_BUS_H
#define TPICK_SESSION_BUS_H

#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>

// Each returns 0, or an errno made negative. The slot owns the object: releasing it takes the object from the bus.

// Serves org.freedesktop.impl.portal.FileChooser on a path; the handler gets the calls of all methods.
int session_bus_serve_chooser(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context);

// Serves org.freedesktop.impl.portal.Request on a path; the handler gets the calls of Close.
int session_bus_serve_request(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context);

// Answers a call with an error of this name.
int session_bus_refuse(sd_bus_message *call, const char *name, const char *message);

// A descriptor that can be read once the process has ended (pidfd_open(2)), closed by an exec; or an errno made
// negative.
int process_end_open(pid_t process);

// Calls a function in a copy of this process, which has one thread, and has it end with the result for its status: one that
// waits for a disk that does not answer holds up no other process. Only the standard streams are open there.
// Returns 0, or an errno.
int process_ask(int (*question)(void *), void *context, pid_t *process);

#endif
