#define _GNU_SOURCE
#include "include/server_certificate.h"

#include "curl_library.h"

#include <stdio.h>

static enum http_ending ending(CURLcode code) {
  switch (code) {
    case CURLE_OK: return HTTP_ANSWERED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT: return HTTP_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT: return HTTP_TIMED_OUT;
    default: return HTTP_FAILED;
  }
}

enum http_ending server_certificate_get(const char *url, long seconds, void (*line)(void *context, const char *text),
                                        void *context, char reason[HTTP_REASON]) {
  snprintf(reason, HTTP_REASON, "libcurl is not installed");
  const struct curl_library *curl = curl_library();
  if (!curl) return HTTP_FAILED;
  CURL *easy = curl->easy_init();
  if (!easy) return HTTP_FAILED;
  reason[0] = 0;
  CURLcode (*set)(CURL *, CURLoption, ...) = curl->easy_setopt;
  CURLcode code = CURLE_FAILED_INIT;
  if (!set(easy, CURLOPT_ERRORBUFFER, reason) && !set(easy, CURLOPT_NOSIGNAL, 1L) && !set(easy, CURLOPT_URL, url) &&
      !set(easy, CURLOPT_PROXY, "") && !set(easy, CURLOPT_CONNECT_ONLY, 1L) && !set(easy, CURLOPT_CERTINFO, 1L) &&
      !set(easy, CURLOPT_SSL_VERIFYPEER, 0L) && !set(easy, CURLOPT_SSL_VERIFYHOST, 0L) &&
      !set(easy, CURLOPT_TIMEOUT, seconds)) {
    code = curl->easy_perform(easy);
  }
  if (code != CURLE_OK && !reason[0]) snprintf(reason, HTTP_REASON, "%s", curl->easy_strerror(code));
  enum http_ending result = ending(code);
  struct curl_certinfo *chain = NULL;
  if (code == CURLE_OK && (curl->easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain ||
                           chain->num_of_certs < 1)) {
    snprintf(reason, HTTP_REASON, "the server shows no certificate");
    result = HTTP_FAILED;
  }
  if (result == HTTP_ANSWERED) {
    for (struct curl_slist *next = chain->certinfo[0]; next; next = next->next) line(context, next->data);
  }
  curl->easy_cleanup(easy);
  return result;
}
