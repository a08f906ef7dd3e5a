// A small C interface to libjxl: the frames of a JPEG XL file, upright.

#ifndef TPICK_CJXL_H
#define TPICK_CJXL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  // Size in pixels of the upright picture and of the embedded preview; the latter is 0 if there is none.
  uint32_t width;
  uint32_t height;
  uint32_t preview_width;
  uint32_t preview_height;
  // Format of the rows: see the same fields in canvas.h.
  uint8_t colours;
  uint8_t extras;
  bool is_premultiplied;
  bool is_wide;
  // How often the animation is played; 0 means endlessly.
  bool is_animated;
  uint32_t plays;
} cjxl_info;

typedef struct cjxl cjxl;

// Reads the header. `bytes` must outlive the file. Returns NULL and sets `reason` if it is not a JPEG XL file.
cjxl *cjxl_open(const void *bytes, size_t count, cjxl_info *info, const char **reason);
void cjxl_close(cjxl *file);

typedef enum {
  CJXL_OK = 0,
  CJXL_INCOMPLETE = 1,  // truncated file: the pixels hold what could be decoded
  CJXL_DAMAGED = 2,
} cjxl_status;

// Decodes the picture, or its preview, into rows without padding.
cjxl_status cjxl_decode(cjxl *file, bool preview, void *pixels, size_t size);

// Rewinds to the first frame of an animation.
bool cjxl_begin_frames(cjxl *file);

// Decodes the next frame, blended onto those before it, into rows without padding, and sets its duration. Returns
// CJXL_INCOMPLETE after the last frame.
cjxl_status cjxl_next_frame(cjxl *file, void *pixels, size_t size, double *seconds);

// Color space of the decoded pixels; known after decoding.
typedef struct {
  // Code points of ITU-T H.273 for an HDR picture; 0 if the colors are sRGB or have a profile.
  int primaries;
  int transfer;
  // An ICC profile, owned by the file; NULL if there is none.
  const void *profile;
  size_t profile_length;
} cjxl_colours;

cjxl_colours cjxl_meaning(const cjxl *file);

#endif
