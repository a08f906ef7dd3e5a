// Rows of a stored picture in, an upright sRGB picture of RGBA pixels out, smaller by a whole number: the loops
// that every decoder of the helper shares. Colours go through lcms2.

#ifndef TPICK_CANVAS_H
#define TPICK_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most samples of a pixel.
enum { CANVAS_SAMPLES = 8 };

typedef struct {
  // The stored picture, before its orientation.
  uint32_t width;
  uint32_t height;
  // Samples of a pixel: 1 grey, 3 RGB or 4 inks (cyan, magenta, yellow, black, where 0 is no ink), then
  // `extras` others, the first of which may be alpha.
  uint8_t colours;
  uint8_t extras;
  bool has_alpha;
  bool is_premultiplied;
  // Whether the colours' 0 is the brightest value.
  bool is_inverted;
  // Whether a sample has 16 bits in the machine's order, instead of 8.
  bool is_wide;
  // So many pixels in a row, of as many rows, become one: at least 1.
  uint32_t reduction;
  // EXIF's: 1 to 8.
  uint8_t orientation;
} canvas_format;

typedef struct canvas canvas;

// The size of the upright picture that comes out.
void canvas_size(const canvas_format *format, uint32_t *width, uint32_t *height);

// `pixels` has room for the picture, is all 0, and stays the caller's.
// Returns NULL where the format is none, or the memory is short.
canvas *canvas_create(const canvas_format *format, uint8_t *pixels);
void canvas_destroy(canvas *canvas);

// What the colours mean; sRGB without. To be called before the first row.
// Returns false where the profile is damaged or for other colours: the picture then stays sRGB.
bool canvas_set_profile(canvas *canvas, const void *profile, size_t length);

// What the colours mean, by the code points of ITU-T H.273 (tables 2 and 3). Unknown ones count as sRGB.
void canvas_set_coding(canvas *canvas, int primaries, int transfer);

// The next row from the top; further ones than the picture has are left out. A row without padding, NULL for
// one that is missing, which lets everything shine through.
void canvas_put(canvas *canvas, const void *row);

// As `canvas_put`, for a picture of RGB samples of 8 bits, from planes of samples of up to 16 bits.
void canvas_put_planes(canvas *canvas, const void *const planes[3], int bits);

// Rows that were put.
uint32_t canvas_rows(const canvas *canvas);

// Whether no pixel lets anything shine through, once all rows were put.
bool canvas_is_opaque(const canvas *canvas);

#endif
