#define _GNU_SOURCE
#include "tries.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(int family, int kind, const void *address, size_t length) {
  int made = socket(family, kind, 0);
  if (made < 0) return errno;
  int failure = result_of(connect(made, address, (socklen_t)length));
  close(made);
  return failure;
}

static int connect_path(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connect_to(AF_UNIX, SOCK_STREAM, &address, sizeof address);
}

static int connect_name(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t count = strlen(name);
  memcpy(address.sun_path + 1, name, count);
  return connect_to(AF_UNIX, SOCK_STREAM, &address, offsetof(struct sockaddr_un, sun_path) + 1 + count);
}

static int connect_port(const char *host, int port, int kind) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  inet_pton(AF_INET, host, &address.sin_addr);
  return connect_to(AF_INET, kind, &address, sizeof address);
}

static int opens(int family, int kind) {
  int made = socket(family, kind, 0);
  if (made < 0) return errno;
  close(made);
  return 0;
}

static int reach_bus(const struct outside *o) { return connect_path(o->bus); }
static int reach_name(const struct outside *o) { return connect_name(o->abstract_name); }
static int reach_port(const struct outside *o) { return connect_port("127.0.0.1", o->port, SOCK_STREAM); }
static int reach_network(const struct outside *o) { return (void)o, connect_port("192.0.2.1", 53, SOCK_DGRAM); }
static int reach_screen(const struct outside *o) { return (void)o, connect_path("/tmp/.X11-unix/X0"); }
static int reach_screen_by_name(const struct outside *o) { return (void)o, connect_name("/tmp/.X11-unix/X0"); }
static int reach_system_bus(const struct outside *o) { return (void)o, connect_path("/run/dbus/system_bus_socket"); }
static int see_interfaces(const struct outside *o) {
  (void)o;
  struct if_nameindex *all = if_nameindex();
  if (!all) return errno;
  int failure = ENODEV;
  for (struct if_nameindex *one = all; one->if_index; one++) {
    if (strcmp(one->if_name, "lo") != 0) failure = 0;
  }
  if_freenameindex(all);
  return failure;
}
static int packet_socket(const struct outside *o) { return (void)o, opens(AF_PACKET, SOCK_RAW); }
static int machine_socket(const struct outside *o) { return (void)o, opens(AF_VSOCK, SOCK_STREAM); }
static int cipher_socket(const struct outside *o) { return (void)o, opens(AF_ALG, SOCK_SEQPACKET); }
static int bluetooth_socket(const struct outside *o) { return (void)o, opens(AF_BLUETOOTH, SOCK_RAW); }
static int raw_socket(const struct outside *o) { return (void)o, opens(AF_INET, SOCK_RAW); }

const struct try socket_tries[] = {
    {"connect to a socket of the session", reach_bus, true},
    {"connect to a socket without a path", reach_name, true},
    {"connect to a port of the machine", reach_port, true},
    {"send to the network", reach_network, false},
    {"connect to X11", reach_screen, false},
    {"connect to X11 by its name without a path", reach_screen_by_name, false},
    {"connect to the system's bus", reach_system_bus, false},
    {"see the network's interfaces", see_interfaces, false},
    {"make a packet socket", packet_socket, false},
    {"make a socket to other virtual machines", machine_socket, false},
    {"make a socket of the kernel's ciphers", cipher_socket, false},
    {"make a Bluetooth socket", bluetooth_socket, false},
    {"make a raw socket", raw_socket, false},
};
const size_t socket_try_count = sizeof socket_tries / sizeof *socket_tries;
