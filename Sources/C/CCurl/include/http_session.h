// HTTP with libcurl, one request at a time. libcurl is loaded with the first session, so that program starts that
// never need it do not pay for it. Its options are set by a variadic function, which Swift cannot call.

#ifndef TPICK_HTTP_SESSION_H
#define TPICK_HTTP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections that are kept open between requests. Use from one thread at a time.
struct http_session;

// Status and headers of a response; missing texts are empty and missing numbers -1.
struct http_head {
  int status;
  int64_t content_length;
  char content_range[96];
  char last_modified[64];
  char etag[128];
  char retry_after[64];
};

struct http_request {
  const char *url;
  // NULL sends no credentials.
  const char *user;
  const char *password;
  // The JSON body of a POST; NULL makes it a GET.
  const void *body;
  size_t body_count;
  // The requested byte range, both ends included; a negative `first` requests everything.
  int64_t first;
  int64_t last;
  // Timeout in seconds for connecting, and for a transfer without data.
  long connect_seconds;
  long idle_seconds;
  // Receives the bytes as they arrive; returns whether it wants more.
  bool (*take)(void *context, const struct http_head *head, const void *bytes, size_t count);
  // Called at least every 100 milliseconds, unless `take` takes longer.
  bool (*is_cancelled)(void *context);
  void *context;
};

enum http_ending {
  // The whole response arrived, whatever its status.
  HTTP_ANSWERED,
  // `take` wanted no more.
  HTTP_STOPPED,
  HTTP_CANCELLED,
  // Nothing answers at the address, or it does not speak HTTP.
  HTTP_UNREACHABLE,
  HTTP_TIMED_OUT,
  // The response ended before its last byte.
  HTTP_BROKEN_OFF,
  HTTP_FAILED,
};

enum { HTTP_REASON = 256 };

// Returns NULL if libcurl cannot be loaded or memory is short.
struct http_session *http_session_open(void);
void http_session_close(struct http_session *);

// Sends a request and waits for the response. Fills `head` from the response and `reason` with libcurl's error
// message. Ignores proxies from the environment and does not follow redirects.
enum http_ending http_session_perform(struct http_session *, const struct http_request *, struct http_head *head,
                                      char reason[HTTP_REASON]);

#endif
