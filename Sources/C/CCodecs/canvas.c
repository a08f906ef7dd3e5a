#include "canvas_parts.h"

#include <stdlib.h>
#include <string.h>

static uint32_t reduced(uint32_t length, uint32_t reduction) {
  return length / reduction + (length % reduction != 0);
}

void canvas_size(const canvas_format *format, uint32_t *width, uint32_t *height) {
  uint32_t across = reduced(format->width, format->reduction), down = reduced(format->height, format->reduction);
  bool turned = format->orientation >= 5;
  *width = turned ? down : across;
  *height = turned ? across : down;
}

static bool is_possible(const canvas_format *format) {
  bool colours = format->colours == 1 || format->colours == 3 || format->colours == 4;
  return colours && format->colours + format->extras <= CANVAS_SAMPLES && format->width && format->height &&
         format->reduction && format->orientation >= 1 && format->orientation <= 8 &&
         (!format->has_alpha || format->extras);
}

canvas *canvas_create(const canvas_format *format, uint8_t *pixels) {
  if (!is_possible(format)) return NULL;
  canvas *canvas = calloc(1, sizeof *canvas);
  if (!canvas) return NULL;
  canvas->format = *format;
  canvas->samples = format->colours + format->extras;
  canvas->width = reduced(format->width, format->reduction);
  canvas->height = reduced(format->height, format->reduction);
  canvas->pixels = pixels;
  canvas->is_opaque = true;
  canvas->sum_size = canvas_sum_size(canvas) * canvas->samples * format->width;
  // Without a reduction, `means` holds a copy of the row, because the conversion may modify it.
  canvas->sums = format->reduction > 1 ? calloc(1, canvas->sum_size) : NULL;
  canvas->means = calloc((size_t)canvas->width * canvas->samples, sizeof *canvas->means);
  canvas->line = calloc(canvas->width, 4);
  if ((format->reduction > 1 && !canvas->sums) || !canvas->means || !canvas->line) {
    canvas_destroy(canvas);
    return NULL;
  }
  return canvas;
}

void canvas_destroy(canvas *canvas) {
  if (!canvas) return;
  free(canvas->matrix);
  if (canvas->transform) cmsDeleteTransform(canvas->transform);
  free(canvas->sums);
  free(canvas->means);
  free(canvas->line);
  free(canvas->joined);
  free(canvas);
}

// Position of a stored row's first pixel in the upright picture and the step to the next one, in pixels (EXIF 2.32,
// section 4.6.4, tag Orientation).
static void place(const canvas *canvas, uint32_t row, const uint8_t *line) {
  size_t width = canvas->width, height = canvas->height, y = row;
  size_t start;
  ptrdiff_t step;
  switch (canvas->format.orientation) {
    case 2: start = y * width + width - 1, step = -1; break;
    case 3: start = (height - 1 - y) * width + width - 1, step = -1; break;
    case 4: start = (height - 1 - y) * width, step = 1; break;
    case 5: start = y, step = (ptrdiff_t)height; break;
    case 6: start = height - 1 - y, step = (ptrdiff_t)height; break;
    case 7: start = (width - 1) * height + height - 1 - y, step = -(ptrdiff_t)height; break;
    case 8: start = (width - 1) * height + y, step = -(ptrdiff_t)height; break;
    default: start = y * width, step = 1; break;
  }
  uint8_t *to = canvas->pixels + start * 4;
  if (step == 1) {
    memcpy(to, line, width * 4);
    return;
  }
  for (size_t x = 0; x < width; x++, to += step * 4, line += 4) memcpy(to, line, 4);
}

static void finish_block(canvas *canvas, uint32_t row) {
  if (!canvas->filled) {
    canvas->is_opaque = false;  // its pixels stay 0
    return;
  }
  if (canvas->format.reduction > 1) canvas_take_means(canvas);
  canvas_convert(canvas, canvas->means, canvas->line);
  if (canvas->format.has_alpha && canvas->is_opaque) {
    uint8_t all = 255;
    for (uint32_t x = 0; x < canvas->width; x++) all &= canvas->line[x * 4 + 3];
    canvas->is_opaque = all == 255;
  }
  place(canvas, row, canvas->line);
  canvas->filled = 0;
}

void canvas_put(canvas *canvas, const void *row) {
  if (canvas->row >= canvas->format.height) return;
  if (row) {
    if (canvas->format.reduction > 1) {
      canvas_add(canvas, row);
    } else {
      size_t size = canvas->format.is_wide ? 2 : 1;
      memcpy(canvas->means, row, size * canvas->samples * canvas->width);
    }
    canvas->filled++;
  }
  canvas->row++;
  if (canvas->row % canvas->format.reduction == 0 || canvas->row == canvas->format.height) {
    finish_block(canvas, (canvas->row - 1) / canvas->format.reduction);
  }
}

void canvas_put_planes(canvas *canvas, const void *const planes[3], int bits) {
  size_t width = canvas->format.width;
  if (canvas->samples != 3 || canvas->format.is_wide || bits < 8 || bits > 16) return;
  if (!canvas->joined) canvas->joined = malloc(width * 3);
  if (!canvas->joined) {
    canvas_put(canvas, NULL);
    return;
  }
  uint8_t *restrict to = canvas->joined;
  if (bits == 8) {
    const uint8_t *restrict red = planes[0], *restrict green = planes[1], *restrict blue = planes[2];
    for (size_t x = 0; x < width; x++) to[x * 3] = red[x], to[x * 3 + 1] = green[x], to[x * 3 + 2] = blue[x];
  } else {
    uint32_t most = (1u << bits) - 1;
    for (int s = 0; s < 3; s++) {
      const uint16_t *restrict from = planes[s];
      for (size_t x = 0; x < width; x++) {
        uint32_t sample = from[x] < most ? from[x] : most;
        to[x * 3 + s] = (uint8_t)((sample * 255 + most / 2) / most);
      }
    }
  }
  canvas_put(canvas, to);
}

uint32_t canvas_rows(const canvas *canvas) { return canvas->row; }

bool canvas_is_opaque(const canvas *canvas) { return canvas->is_opaque; }
