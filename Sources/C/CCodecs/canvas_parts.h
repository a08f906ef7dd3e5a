// Declarations shared by the canvas sources.

#ifndef TPICK_CANVAS_PARTS_H
#define TPICK_CANVAS_PARTS_H

#include "include/canvas.h"

#include <lcms2.h>

typedef struct canvas_matrix canvas_matrix;

struct canvas {
  canvas_format format;
  uint32_t samples;
  uint32_t width;   // of the result, before orientation
  uint32_t height;
  uint32_t row;     // stored rows received
  uint32_t filled;  // received rows in the current block, without missing ones
  bool is_opaque;
  uint8_t *pixels;
  void *sums;       // a row of sums with 16, 32 or 64 bits per sample
  size_t sum_size;
  uint16_t *means;  // a row of the result, in samples of 8 or 16 bits
  uint8_t *line;    // a row of RGBA
  uint8_t *joined;  // a stored row, interleaved from planes
  // Conversion to sRGB: at most one of the two is set; neither if the colors are sRGB already.
  canvas_matrix *matrix;
  cmsHTRANSFORM transform;
};

// canvas_reduce.c
size_t canvas_sum_size(const canvas *canvas);
void canvas_add(canvas *canvas, const void *row);
void canvas_take_means(canvas *canvas);

// canvas_convert.c: one row of samples to RGBA.
void canvas_convert(canvas *canvas, void *samples, uint8_t *line);

// canvas_matrix.c: NULL if the profile is of another kind.
canvas_matrix *canvas_matrix_create(cmsHPROFILE profile, cmsHPROFILE srgb, bool is_wide);
// Converts one row of pixels, `step` samples apart, to the color channels of RGBA.
void canvas_matrix_convert(const canvas_matrix *matrix, const void *samples, uint32_t step, uint32_t count,
                           uint8_t *line);
// Whether the conversion changes colors by rounding errors only.
bool canvas_matrix_changes_nothing(const canvas_matrix *matrix);

#endif
