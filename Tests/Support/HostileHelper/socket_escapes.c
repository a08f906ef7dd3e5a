#define _GNU_SOURCE
#include "escapes.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static long make(int family, int type) { return outcome(socket(family, type, 0)); }

static long local(const struct surroundings *all) { return (void)all, make(AF_UNIX, SOCK_STREAM); }
static long internet(const struct surroundings *all) { return (void)all, make(AF_INET, SOCK_STREAM); }
static long datagrams(const struct surroundings *all) { return (void)all, make(AF_INET, SOCK_DGRAM); }
static long internet6(const struct surroundings *all) { return (void)all, make(AF_INET6, SOCK_STREAM); }
static long netlink(const struct surroundings *all) { return (void)all, make(AF_NETLINK, SOCK_RAW); }
static long packets(const struct surroundings *all) { return (void)all, make(AF_PACKET, SOCK_RAW); }
static long machines(const struct surroundings *all) { return (void)all, make(AF_VSOCK, SOCK_STREAM); }
static long ciphers(const struct surroundings *all) { return (void)all, make(AF_ALG, SOCK_SEQPACKET); }
static long bluetooth(const struct surroundings *all) { return (void)all, make(AF_BLUETOOTH, SOCK_STREAM); }

static long pair(const struct surroundings *all) {
  (void)all;
  return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
}

static long reach(const struct sockaddr_un *address, size_t length) {
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  return outcome(made < 0 ? made : connect(made, (const struct sockaddr *)address, (socklen_t)length));
}

static long session_bus(const struct surroundings *all) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, all->bus, sizeof address.sun_path - 1);
  return reach(&address, sizeof address);
}

static long abstract_address(const struct surroundings *all) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t count = strlen(all->abstract_name);
  memcpy(address.sun_path + 1, all->abstract_name, count);
  return reach(&address, offsetof(struct sockaddr_un, sun_path) + 1 + count);
}

static long reach_port(const struct surroundings *all) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)all->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int made = socket(AF_INET, SOCK_STREAM, 0);
  return outcome(made < 0 ? made : connect(made, (const struct sockaddr *)&address, sizeof address));
}

static long listen_at_port(const struct surroundings *all) {
  (void)all;
  int made = socket(AF_INET, SOCK_STREAM, 0);
  return outcome(made < 0 ? made : listen(made, 1));
}

// The connection to tpick is the only socket: it carries bytes, and nothing else.
static long connect_elsewhere(const struct surroundings *all) {
  (void)all;
  return outcome(connect(STDIN_FILENO, &(struct sockaddr){.sa_family = AF_UNSPEC}, sizeof(struct sockaddr)));
}

static long send_elsewhere(const struct surroundings *all) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, all->bus, sizeof address.sun_path - 1);
  return outcome(sendto(STDIN_FILENO, "", 0, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address));
}

static long send_descriptor(const struct surroundings *all) {
  struct iovec part = {.iov_base = "", .iov_len = 0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  (void)all;
  return outcome(sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL));
}

static long set_option(const struct surroundings *all) {
  (void)all;
  return outcome(setsockopt(STDIN_FILENO, SOL_SOCKET, SO_SNDBUF, &(int){1 << 20}, sizeof(int)));
}

const struct escape socket_escapes[] = {
    {"a local socket", local},
    {"a TCP socket", internet},
    {"a UDP socket", datagrams},
    {"a socket of IPv6", internet6},
    {"a netlink socket", netlink},
    {"a packet socket", packets},
    {"a socket to other virtual machines", machines},
    {"a socket of the kernel's ciphers", ciphers},
    {"a Bluetooth socket", bluetooth},
    {"a pair of sockets", pair},
    {"connect to a session bus", session_bus},
    {"connect to an abstract address", abstract_address},
    {"connect to a port", reach_port},
    {"listen at a port", listen_at_port},
    {"connect its socket elsewhere", connect_elsewhere},
    {"send to elsewhere by its socket", send_elsewhere},
    {"send a message that could carry descriptors", send_descriptor},
    {"set an option of its socket", set_option},
};
const size_t socket_escape_count = sizeof socket_escapes / sizeof *socket_escapes;
