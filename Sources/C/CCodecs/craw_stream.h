#pragma once

#include "include/craw.h"

#include <libraw/libraw.h>

#ifdef __cplusplus
extern "C" {
#endif
// Has LibRaw read through a stream, which its interface for C has no way for. Returns LibRaw's status.
int craw_stream_open(libraw_data_t *raw, craw_stream *stream);
#ifdef __cplusplus
}
#endif
