// Converts rows of a stored picture to an upright sRGB picture of RGBA pixels, reduced by an integer factor. All
// decoders of the helper share these loops. Colors go through lcms2.

#ifndef TPICK_CANVAS_H
#define TPICK_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most samples per pixel.
enum { CANVAS_SAMPLES = 8 };

typedef struct {
  // The stored picture, before orientation.
  uint32_t width;
  uint32_t height;
  // Samples per pixel: 1 for grayscale, 3 for RGB or 4 for inks (cyan, magenta, yellow, black; 0 is no ink), then
  // `extras` others, the first of which may be alpha.
  uint8_t colours;
  uint8_t extras;
  bool has_alpha;
  bool is_premultiplied;
  // Whether 0 is the brightest value of the color samples.
  bool is_inverted;
  // Whether samples have 16 bits in native byte order, instead of 8.
  bool is_wide;
  // Blocks of this many pixels in each direction become one; at least 1.
  uint32_t reduction;
  // EXIF orientation, 1 to 8.
  uint8_t orientation;
} canvas_format;

typedef struct canvas canvas;

// Size of the upright result.
void canvas_size(const canvas_format *format, uint32_t *width, uint32_t *height);

// `pixels` must have room for the result and be all 0; it stays the caller's. Returns NULL if the format is invalid
// or memory is short.
canvas *canvas_create(const canvas_format *format, uint8_t *pixels);
void canvas_destroy(canvas *canvas);

// Sets the ICC profile of the samples; sRGB by default. Call before the first row. Returns false if the profile is
// damaged or for another color space; the picture then counts as sRGB.
bool canvas_set_profile(canvas *canvas, const void *profile, size_t length);

// Sets the color space by the code points of ITU-T H.273 (tables 2 and 3). Unknown ones count as sRGB.
void canvas_set_coding(canvas *canvas, int primaries, int transfer);

// Adds the next row from the top, without padding; NULL for a missing row, which becomes transparent. Rows beyond
// the height are ignored.
void canvas_put(canvas *canvas, const void *row);

// Like `canvas_put`, for a picture of 8-bit RGB samples, from planes of samples of up to 16 bits.
void canvas_put_planes(canvas *canvas, const void *const planes[3], int bits);

// Number of rows added.
uint32_t canvas_rows(const canvas *canvas);

// Whether every pixel is opaque, once all rows were added.
bool canvas_is_opaque(const canvas *canvas);

#endif
