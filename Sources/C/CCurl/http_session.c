#define _GNU_SOURCE
#include "include/http_session.h"

#include "curl_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Interval in milliseconds at which a request polls for cancellation.
enum { ASK_EVERY = 100 };

struct http_session {
  const struct curl_library *curl;
  CURL *easy;
  // Keeps the connections; a plain easy handle polls for cancellation only once a second.
  CURLM *multi;
};

// A request in progress.
struct exchange {
  const struct http_request *request;
  struct http_head *head;
  bool is_stopped;
};

struct http_session *http_session_open(void) {
  const struct curl_library *curl = curl_library();
  if (!curl) return NULL;
  struct http_session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  *session = (struct http_session){.curl = curl, .easy = curl->easy_init(), .multi = curl->multi_init()};
  if (session->easy && session->multi) return session;
  http_session_close(session);
  return NULL;
}

void http_session_close(struct http_session *session) {
  if (session->easy) session->curl->easy_cleanup(session->easy);
  if (session->multi) session->curl->multi_cleanup(session->multi);
  free(session);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct exchange *exchange = context;
  const struct http_request *request = exchange->request;
  if (request->take(request->context, exchange->head, bytes, size * count)) return size * count;
  exchange->is_stopped = true;
  return 0;
}

// Copies the value after "name:", trimmed; a value that does not fit is left out.
static void keep(const char *line, size_t count, const char *name, char *text, size_t capacity) {
  size_t length = strlen(name);
  if (count <= length || line[length] != ':' || strncasecmp(line, name, length) != 0) return;
  const char *start = line + length + 1, *end = line + count;
  while (start < end && (*start == ' ' || *start == '\t')) start++;
  while (end > start && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) end--;
  if ((size_t)(end - start) >= capacity) return;
  memcpy(text, start, (size_t)(end - start));
  text[end - start] = 0;
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
  struct http_head *head = ((struct exchange *)context)->head;
  count *= size;
  if (count > 5 && strncmp(line, "HTTP/", 5) == 0) {
    // Another response starts: the previous one was only "100 Continue".
    *head = (struct http_head){.status = -1, .content_length = -1};
    // The line is not NUL-terminated: read the digits one by one.
    const char *digit = memchr(line, ' ', count);
    int status = 0, digits = 0;
    for (digit = digit ? digit + 1 : line + count; digit < line + count && digits < 3; digit++, digits++) {
      if (*digit < '0' || *digit > '9') break;
      status = status * 10 + (*digit - '0');
    }
    if (digits == 3) head->status = status;
    return count;
  }
  keep(line, count, "content-range", head->content_range, sizeof head->content_range);
  keep(line, count, "last-modified", head->last_modified, sizeof head->last_modified);
  keep(line, count, "etag", head->etag, sizeof head->etag);
  keep(line, count, "retry-after", head->retry_after, sizeof head->retry_after);
  char length[24] = "";
  keep(line, count, "content-length", length, sizeof length);
  if (length[0]) head->content_length = strtoll(length, NULL, 10);
  return count;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const struct http_request *request = ((struct exchange *)context)->request;
  return request->is_cancelled(request->context);
}

// Sets the options that all requests share.
static bool set_up(const struct http_session *session, struct exchange *exchange, char *reason) {
  CURLcode (*set)(CURL *, CURLoption, ...) = session->curl->easy_setopt;
  CURL *easy = session->easy;
  const struct http_request *request = exchange->request;
  session->curl->easy_reset(easy);
  return !set(easy, CURLOPT_ERRORBUFFER, reason) && !set(easy, CURLOPT_NOSIGNAL, 1L) &&
         !set(easy, CURLOPT_PROXY, "") &&
         !set(easy, CURLOPT_URL, request->url) && !set(easy, CURLOPT_PATH_AS_IS, 1L) &&
         !set(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
         !set(easy, CURLOPT_CONNECTTIMEOUT, request->connect_seconds) &&
         !set(easy, CURLOPT_LOW_SPEED_LIMIT, 1L) && !set(easy, CURLOPT_LOW_SPEED_TIME, request->idle_seconds) &&
         !set(easy, CURLOPT_WRITEFUNCTION, take_body) && !set(easy, CURLOPT_WRITEDATA, exchange) &&
         !set(easy, CURLOPT_HEADERFUNCTION, take_header) && !set(easy, CURLOPT_HEADERDATA, exchange) &&
         !set(easy, CURLOPT_XFERINFOFUNCTION, progress) && !set(easy, CURLOPT_XFERINFODATA, exchange) &&
         !set(easy, CURLOPT_NOPROGRESS, 0L);
}

static bool set_request(const struct http_session *session, const struct http_request *request,
                        struct curl_slist **headers) {
  CURLcode (*set)(CURL *, CURLoption, ...) = session->curl->easy_setopt;
  CURL *easy = session->easy;
  bool is_set = true;
  if (request->user) {
    is_set = !set(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) && !set(easy, CURLOPT_USERNAME, request->user) &&
             !set(easy, CURLOPT_PASSWORD, request->password);
  }
  if (request->first >= 0) {
    char range[48];
    snprintf(range, sizeof range, "%lld-%lld", (long long)request->first, (long long)request->last);
    // libcurl copies the text.
    is_set = is_set && !set(easy, CURLOPT_RANGE, range);
  }
  if (request->body) {
    *headers = session->curl->slist_append(NULL, "Content-Type: application/json");
    is_set = is_set && *headers && !set(easy, CURLOPT_HTTPHEADER, *headers) && !set(easy, CURLOPT_POST, 1L) &&
             !set(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count) &&
             !set(easy, CURLOPT_POSTFIELDS, request->body);
  }
  return is_set;
}

static enum http_ending ending(CURLcode code, const struct exchange *exchange) {
  switch (code) {
    case CURLE_OK: return HTTP_ANSWERED;
    case CURLE_ABORTED_BY_CALLBACK: return HTTP_CANCELLED;
    case CURLE_WRITE_ERROR: return exchange->is_stopped ? HTTP_STOPPED : HTTP_FAILED;
    case CURLE_OPERATION_TIMEDOUT: return HTTP_TIMED_OUT;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: return HTTP_UNREACHABLE;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return HTTP_BROKEN_OFF;
    default: return HTTP_FAILED;
  }
}

static enum http_ending run(const struct http_session *session, struct exchange *exchange, char *reason) {
  const struct curl_library *curl = session->curl;
  const struct http_request *request = exchange->request;
  if (curl->multi_add_handle(session->multi, session->easy) != CURLM_OK) return HTTP_FAILED;
  enum http_ending result = HTTP_FAILED;
  int running = 1;
  while (running) {
    if (request->is_cancelled(request->context)) {
      result = HTTP_CANCELLED;
      break;
    }
    if (curl->multi_perform(session->multi, &running) != CURLM_OK) break;
    if (running && curl->multi_poll(session->multi, NULL, 0, ASK_EVERY, NULL) != CURLM_OK) break;
  }
  int left;
  CURLMsg *message;
  while (!running && (message = curl->multi_info_read(session->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    result = ending(message->data.result, exchange);
    if (message->data.result != CURLE_OK && !reason[0]) {
      snprintf(reason, HTTP_REASON, "%s", curl->easy_strerror(message->data.result));
    }
  }
  curl->multi_remove_handle(session->multi, session->easy);
  return result;
}

enum http_ending http_session_perform(struct http_session *session, const struct http_request *request,
                                      struct http_head *head, char reason[HTTP_REASON]) {
  _Static_assert((int)HTTP_REASON >= (int)CURL_ERROR_SIZE, "libcurl writes up to CURL_ERROR_SIZE bytes");
  *head = (struct http_head){.status = -1, .content_length = -1};
  reason[0] = 0;
  struct exchange exchange = {.request = request, .head = head};
  struct curl_slist *headers = NULL;
  enum http_ending result = HTTP_FAILED;
  if (set_up(session, &exchange, reason) && set_request(session, request, &headers)) {
    result = run(session, &exchange, reason);
  }
  // Drops all pointers to the caller's memory.
  session->curl->easy_reset(session->easy);
  session->curl->slist_free_all(headers);
  return result;
}
