#define _GNU_SOURCE
#include "include/descriptor_passing.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// Control data for the most descriptors of a message, aligned as cmsg(3) requires.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(DESCRIPTORS_PER_MESSAGE * sizeof(int))];
};

ssize_t descriptors_send(int socket, const void *bytes, size_t count, const int *descriptors,
                         size_t descriptor_count) {
  if (descriptor_count > DESCRIPTORS_PER_MESSAGE) return -EINVAL;
  union control control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

ssize_t descriptors_receive(int socket, void *bytes, size_t capacity, int *descriptors,
                            size_t *descriptor_count, bool *are_lost) {
  union control control;
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  *descriptor_count = 0;
  *are_lost = false;
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < found; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
      if (*descriptor_count < DESCRIPTORS_PER_MESSAGE) {
        descriptors[(*descriptor_count)++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  if (message.msg_flags & MSG_CTRUNC) {
    // The control data has room for the most descriptors of a message: if fewer arrived, this process could not
    // open more.
    *are_lost = *descriptor_count < DESCRIPTORS_PER_MESSAGE;
    while (*descriptor_count) close(descriptors[--*descriptor_count]);
    if (!*are_lost) return -EPROTO;
  }
  return received;
}

ssize_t bytes_receive(int socket, void *bytes, size_t capacity) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  // There is no room for control data: the kernel closes received descriptors and sets MSG_CTRUNC.
  return message.msg_flags & MSG_CTRUNC ? -EPROTO : received;
}

void descriptors_close(const int *descriptors, size_t count) {
  bool are_in_row = count > 0;
  for (size_t i = 1; i < count; i++) are_in_row = are_in_row && descriptors[i] == descriptors[i - 1] + 1;
  if (are_in_row && close_range((unsigned)descriptors[0], (unsigned)descriptors[count - 1], 0) == 0) return;
  for (size_t i = 0; i < count; i++) close(descriptors[i]);
}
