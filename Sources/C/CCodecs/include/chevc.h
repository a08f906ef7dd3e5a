// libavcodec as the HEVC decoder of libheif. It takes a third of the time of libde265, libheif's default.

#ifndef TPICK_CHEVC_H
#define TPICK_CHEVC_H

#include <stdbool.h>

// Makes libavcodec the decoder of all HEVC pictures in HEIF files. Call after libheif is initialized. Returns false
// if libavcodec has no HEVC decoder or libheif rejects the plugin: libde265 then stays.
bool chevc_register(void);

// How to output the pictures decoded from now on. Set it from one thread only, while no picture is being decoded;
// libheif may use several threads for one picture.
typedef struct {
  // Whether to output planes of red, green and blue, which saves libheif's own, slower conversion. Must be false
  // for alpha and depth.
  bool is_rgb;
  // The coding according to the container: the matrix by ITU-T H.273, table 4, and whether values use the full
  // range. -1 leaves both to the stream.
  int matrix;
  bool is_full;
} chevc_order;

void chevc_begin(chevc_order order);

// Whether any picture since `chevc_begin` was damaged, with missing parts concealed.
bool chevc_was_mended(void);

#endif
