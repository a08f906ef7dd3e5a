// What the files of this target share.

#ifndef TPICK_CANVAS_PARTS_H
#define TPICK_CANVAS_PARTS_H

#include "include/canvas.h"

#include <lcms2.h>

typedef struct canvas_matrix canvas_matrix;

struct canvas {
  canvas_format format;
  uint32_t samples;
  uint32_t width;   // of the picture that comes out, before its orientation
  uint32_t height;
  uint32_t row;     // stored rows that came
  uint32_t filled;  // of them, those of the current block that were there
  bool is_opaque;
  uint8_t *pixels;
  void *sums;       // a row of sums: 16, 32 or 64 bits a sample
  size_t sum_size;
  uint16_t *means;  // a row of the picture that comes out, in samples of 8 or 16 bits
  uint8_t *line;    // a row of RGBA
  uint8_t *joined;  // a stored row that came in planes
  // How colours become sRGB, at most one of them; none where they are.
  canvas_matrix *matrix;
  cmsHTRANSFORM transform;
};

// reduce.c
size_t canvas_sum_size(const canvas *canvas);
void canvas_add(canvas *canvas, const void *row);
void canvas_take_means(canvas *canvas);

// convert.c: one row of samples to RGBA.
void canvas_convert(canvas *canvas, void *samples, uint8_t *line);

// matrix.c: NULL where the profile is of another kind.
canvas_matrix *canvas_matrix_create(cmsHPROFILE profile, cmsHPROFILE srgb, bool is_wide);
// One row of pixels, `step` samples from each to the next, to the colours of RGBA.
void canvas_matrix_convert(const canvas_matrix *matrix, const void *samples, uint32_t step, uint32_t count,
                           uint8_t *line);
// Whether colours stay as they are, but for rounding.
bool canvas_matrix_changes_nothing(const canvas_matrix *matrix);

#endif
