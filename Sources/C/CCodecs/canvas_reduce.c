// Means of blocks of samples. Sums run down the columns first, in the narrowest integers that hold them, which the
// compiler vectorizes; a block's columns are added once per block.

#include "canvas_parts.h"

#include <string.h>

// Rows of a block whose 8-bit samples fit into 16-bit sums.
enum { NARROW_ROWS = 257 };

// Whether colors are weighted by their alpha.
static bool is_weighted(const canvas *canvas) {
  return canvas->format.has_alpha && !canvas->format.is_premultiplied;
}

size_t canvas_sum_size(const canvas *canvas) {
  if (is_weighted(canvas)) return 8;
  return canvas->format.is_wide || canvas->format.reduction > NARROW_ROWS ? 4 : 2;
}

static void add_weighted(canvas *canvas, const void *row) {
  uint64_t *restrict sums = canvas->sums;
  const uint8_t *narrow = row;
  const uint16_t *wide = row;
  uint32_t samples = canvas->samples, alpha = canvas->format.colours;
  for (uint32_t x = 0; x < canvas->format.width; x++, sums += samples, narrow += samples, wide += samples) {
    uint64_t weight = canvas->format.is_wide ? wide[alpha] : narrow[alpha];
    for (uint32_t s = 0; s < alpha; s++) sums[s] += weight * (canvas->format.is_wide ? wide[s] : narrow[s]);
    sums[alpha] += weight;
  }
}

void canvas_add(canvas *canvas, const void *row) {
  size_t count = (size_t)canvas->format.width * canvas->samples;
  if (is_weighted(canvas)) {
    add_weighted(canvas, row);
  } else if (canvas->format.is_wide) {
    uint32_t *restrict sums = canvas->sums;
    const uint16_t *restrict from = row;
    for (size_t i = 0; i < count; i++) sums[i] += from[i];
  } else if (canvas->format.reduction > NARROW_ROWS) {
    uint32_t *restrict sums = canvas->sums;
    const uint8_t *restrict from = row;
    for (size_t i = 0; i < count; i++) sums[i] += from[i];
  } else {
    uint16_t *restrict sums = canvas->sums;
    const uint8_t *restrict from = row;
    for (size_t i = 0; i < count; i++) sums[i] += from[i];
  }
}

// Adds `columns` pixels; common sample counts are constants.
#define ADD_COLUMNS(type, samples)                                         \
  do {                                                                     \
    const type *from = (const type *)canvas->sums + first * (samples);     \
    for (uint32_t column = 0; column < columns; column++) {                \
      for (uint32_t s = 0; s < (samples); s++) total[s] += from[s];        \
      from += (samples);                                                   \
    }                                                                      \
  } while (0)

static void add_columns(const canvas *canvas, size_t size, size_t first, uint32_t columns, uint64_t *total) {
  if (size == 2 && canvas->samples == 3) {
    uint32_t red = 0, green = 0, blue = 0;
    const uint16_t *from = (const uint16_t *)canvas->sums + first * 3;
    for (uint32_t column = 0; column < columns; column++, from += 3) {
      red += from[0], green += from[1], blue += from[2];
    }
    total[0] = red, total[1] = green, total[2] = blue;
  } else if (size == 2) {
    ADD_COLUMNS(uint16_t, canvas->samples);
  } else if (size == 4) {
    ADD_COLUMNS(uint32_t, canvas->samples);
  } else {
    ADD_COLUMNS(uint64_t, canvas->samples);
  }
}

void canvas_take_means(canvas *canvas) {
  uint32_t samples = canvas->samples, reduction = canvas->format.reduction, width = canvas->format.width;
  size_t size = canvas_sum_size(canvas);
  bool weighted = is_weighted(canvas);
  uint32_t alpha = canvas->format.colours;
  uint8_t *narrow = (uint8_t *)canvas->means;
  for (uint32_t x = 0, from = 0; x < canvas->width; x++, from += reduction) {
    uint32_t columns = width - from < reduction ? width - from : reduction;
    uint64_t total[CANVAS_SAMPLES] = {0};
    add_columns(canvas, size, from, columns, total);
    uint64_t area = (uint64_t)columns * canvas->filled;
    for (uint32_t s = 0; s < samples; s++) {
      uint64_t weight = weighted && s < alpha ? total[alpha] : area;
      uint64_t mean = weight ? (total[s] + weight / 2) / weight : 0;
      if (canvas->format.is_wide) {
        canvas->means[(size_t)x * samples + s] = (uint16_t)mean;
      } else {
        narrow[(size_t)x * samples + s] = (uint8_t)mean;
      }
    }
  }
  memset(canvas->sums, 0, canvas->sum_size);
}
