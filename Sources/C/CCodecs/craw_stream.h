#pragma once

#include "include/craw.h"

#include <libraw/libraw.h>

#ifdef __cplusplus
extern "C" {
#endif
// Makes LibRaw read through a stream, which its C interface cannot. Returns LibRaw's status.
int craw_stream_open(libraw_data_t *raw, craw_stream *stream);
#ifdef __cplusplus
}
#endif
