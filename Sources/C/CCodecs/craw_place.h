#pragma once

#include <stdint.h>

#include <libraw/libraw.h>

#ifdef __cplusplus
extern "C"
#endif
// Where in the file the preview begins, which LibRaw's interface for C does not say.
int64_t craw_preview_place(libraw_data_t *raw);
