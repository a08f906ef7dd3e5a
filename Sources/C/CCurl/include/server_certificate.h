// Reads the certificate of a server before anything is sent to it (CURLINFO_CERTINFO).

#ifndef TPICK_SERVER_CERTIFICATE_H
#define TPICK_SERVER_CERTIFICATE_H

#include <stdbool.h>

#include "http_session.h"

// Connects to an address ("https://example.org:8443/") without sending a request. The certificate is not verified,
// because it is only shown. `line` receives each of libcurl's lines about the server's own certificate:
// "Subject:…", "Issuer:…", "Cert:-----BEGIN CERTIFICATE-----…". Returns HTTP_ANSWERED if there were any; otherwise
// `reason` holds libcurl's error message.
enum http_ending server_certificate_get(const char *url, long seconds, void (*line)(void *context, const char *text),
                                        void *context, char reason[HTTP_REASON]);

#endif
