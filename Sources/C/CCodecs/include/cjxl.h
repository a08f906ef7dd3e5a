// A small C face over libjxl: the frames of a JPEG XL file, upright.

#ifndef TPICK_CJXL_H
#define TPICK_CJXL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  // Pixels of the upright picture, and of the preview in the file; the latter 0 where there is none.
  uint32_t width;
  uint32_t height;
  uint32_t preview_width;
  uint32_t preview_height;
  // How the rows come: see canvas.h, whose fields these are.
  uint8_t colours;
  uint8_t extras;
  bool is_premultiplied;
  bool is_wide;
  // How often all frames are shown, 0 for ever.
  bool is_animated;
  uint32_t plays;
} cjxl_info;

typedef struct cjxl cjxl;

// Reads the head. `bytes` must stay valid as long as the file.
// Returns NULL, and says why, where it is none.
cjxl *cjxl_open(const void *bytes, size_t count, cjxl_info *info, const char **reason);
void cjxl_close(cjxl *file);

typedef enum {
  CJXL_OK = 0,
  CJXL_INCOMPLETE = 1,  // the file ends early: what is there is in the pixels
  CJXL_DAMAGED = 2,
} cjxl_status;

// Decodes the picture, or its preview, into rows without padding.
cjxl_status cjxl_decode(cjxl *file, bool preview, void *pixels, size_t size);

// Begins with the first frame of an animation.
bool cjxl_begin_frames(cjxl *file);

// Decodes the next frame, laid on those before it, into rows without padding, and says how long it is shown.
// CJXL_INCOMPLETE where there is none any more.
cjxl_status cjxl_next_frame(cjxl *file, void *pixels, size_t size, double *seconds);

// What the decoded pixels' colours mean; known after the decode.
typedef struct {
  // Code points of ITU-T H.273 for a bright picture's colours; 0 where they are sRGB or have a profile.
  int primaries;
  int transfer;
  // An ICC profile, which lives as long as the file; NULL where there is none.
  const void *profile;
  size_t profile_length;
} cjxl_colours;

cjxl_colours cjxl_meaning(const cjxl *file);

#endif
