// The certificate that a server shows, before anything is said to it (CURLINFO_CERTINFO).

#ifndef TPICK_SERVER_CERTIFICATE_H
#define TPICK_SERVER_CERTIFICATE_H

#include <stdbool.h>

#include "http_session.h"

// Connects to an address ("https://example.org:8443/") and asks for nothing. The certificate is believed, since it is only looked at.
// `line` gets each of libcurl's lines on the server's own certificate: "Subject:…", "Issuer:…", "Cert:-----BEGIN CERTIFICATE-----…".
// Returns HTTP_ANSWERED where there were some; else `reason` has libcurl's words.
enum http_ending server_certificate_get(const char *url, long seconds, void (*line)(void *context, const char *text),
                                        void *context, char reason[HTTP_REASON]);

#endif
