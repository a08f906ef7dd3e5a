#define _GNU_SOURCE
#include "include/session_bus.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the functions of a method table, which all objects share, forward their calls to.
typedef struct {
  sd_bus_message_handler_t handler;
  void *context;
} receiver;

static int receive(sd_bus_message *call, void *data, sd_bus_error *error) {
  const receiver *receiver = data;
  return receiver->handler(call, receiver->context, error);
}

#define CHOOSER_METHOD(member)                                                                              \
  SD_BUS_METHOD_WITH_NAMES(                                                                                 \
      member, "osssa{sv}",                                                                                  \
      SD_BUS_PARAM(handle) SD_BUS_PARAM(app_id) SD_BUS_PARAM(parent_window) SD_BUS_PARAM(title)             \
          SD_BUS_PARAM(options),                                                                            \
      "ua{sv}", SD_BUS_PARAM(response) SD_BUS_PARAM(results), receive, SD_BUS_VTABLE_UNPRIVILEGED)

static const sd_bus_vtable chooser_methods[] = {
    SD_BUS_VTABLE_START(0),
    CHOOSER_METHOD("OpenFile"),
    CHOOSER_METHOD("SaveFile"),
    CHOOSER_METHOD("SaveFiles"),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable request_methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Close", "", "", receive, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static int serve(
    sd_bus *bus, sd_bus_slot **slot, const char *path, const char *interface, const sd_bus_vtable *methods,
    sd_bus_message_handler_t handler, void *context) {
  receiver *data = malloc(sizeof *data);
  if (!data) return -ENOMEM;
  *data = (receiver){.handler = handler, .context = context};
  int result = sd_bus_add_object_vtable(bus, slot, path, interface, methods, data);
  if (result < 0) {
    free(data);
    return result;
  }
  sd_bus_slot_set_destroy_callback(*slot, free);
  return 0;
}

int session_bus_serve_chooser(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context) {
  return serve(
      bus, slot, path, "org.freedesktop.impl.portal.FileChooser", chooser_methods, handler, context);
}

int session_bus_serve_request(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t handler, void *context) {
  return serve(bus, slot, path, "org.freedesktop.impl.portal.Request", request_methods, handler, context);
}

int session_bus_refuse(sd_bus_message *call, const char *name, const char *message) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_error_set(&error, name, message);
  int result = sd_bus_reply_method_error(call, &error);
  sd_bus_error_free(&error);
  return result < 0 ? result : 0;
}

int process_end_open(pid_t process) {
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : descriptor;
}

int process_ask(int (*question)(void *), void *context, pid_t *process) {
  pid_t parent = getpid();
  *process = fork();
  if (*process < 0) return errno;
  if (*process > 0) return 0;
  // If the parent exited before prctl, no signal would ever arrive.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent) _exit(2);
  // A copy of the bus connection would keep it open after the parent has exited.
  if (close_range(STDERR_FILENO + 1, ~0U, 0) != 0) _exit(2);
  _exit(question(context));
}
