#pragma once

#include <stdint.h>

#include <libraw/libraw.h>

#ifdef __cplusplus
extern "C"
#endif
// Returns the offset of the preview in the file, which LibRaw's C interface does not expose.
int64_t craw_preview_place(libraw_data_t *raw);
