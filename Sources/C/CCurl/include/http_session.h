// HTTP by libcurl, one request at a time. libcurl is loaded with the first session: no start of a program that may never
// need it pays for it. Its options are set by a function of any arguments, which Swift can't call.

#ifndef TPICK_HTTP_SESSION_H
#define TPICK_HTTP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections that are kept open from one request to the next. Used by one thread at a time.
struct http_session;

// What an answer says of itself before its bytes come; texts are empty, and numbers -1, where it does not.
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
  // NULL: none is sent.
  const char *user;
  const char *password;
  // What is posted, as JSON; NULL: it is a GET.
  const void *body;
  size_t body_count;
  // The bytes asked for, both included; a negative `first`: all.
  int64_t first;
  int64_t last;
  // How many seconds the connection may take, and how many may pass without a byte.
  long connect_seconds;
  long idle_seconds;
  // Gets the bytes as they come, and answers whether it wants more.
  bool (*take)(void *context, const struct http_head *head, const void *bytes, size_t count);
  // Asked at least every 100 milliseconds, unless `take` takes longer.
  bool (*is_cancelled)(void *context);
  void *context;
};

enum http_ending {
  // The whole answer came, whatever its status.
  HTTP_ANSWERED,
  // `take` wanted no more.
  HTTP_STOPPED,
  HTTP_CANCELLED,
  // Nobody answers there, or what answers is none of HTTP.
  HTTP_UNREACHABLE,
  HTTP_TIMED_OUT,
  // The answer ended before its last byte.
  HTTP_BROKEN_OFF,
  HTTP_FAILED,
};

enum { HTTP_REASON = 256 };

// Returns NULL where libcurl can't be loaded, or there is no memory.
struct http_session *http_session_open(void);
void http_session_close(struct http_session *);

// Sends a request and waits for the answer. `head` becomes the answer's, `reason` libcurl's words on what went wrong.
// Proxies of the environment are not asked, and redirections not followed.
enum http_ending http_session_perform(struct http_session *, const struct http_request *, struct http_head *head,
                                      char reason[HTTP_REASON]);

#endif
