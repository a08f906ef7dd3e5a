// libavcodec as libheif's decoder of HEVC: it takes a third of the time that libde265 takes, which libheif brings.

#ifndef TPICK_CHEVC_H
#define TPICK_CHEVC_H

#include <stdbool.h>

// Makes libavcodec the decoder of all HEVC pictures in HEIF files. libheif has to be initialized.
// Returns false where libavcodec has no such decoder, or libheif does not want it: libde265 then stays.
bool chevc_register(void);

// What is to be done with the pictures that are decoded from now on. Only one thread may set it, while no picture
// is being decoded; libheif may use several for one picture.
typedef struct {
  // Whether they come as planes of red, green and blue, which libheif asks its own, slower code to make otherwise.
  // Those of alpha and depth must not.
  bool is_rgb;
  // How the container says that they are coded: the matrix by ITU-T H.273, table 4, and whether the values take
  // the full range. -1 leaves both to the stream.
  int matrix;
  bool is_full;
} chevc_order;

void chevc_begin(chevc_order order);

// Whether some of the pictures since then are damaged: what is missing was filled in.
bool chevc_was_mended(void);

#endif
