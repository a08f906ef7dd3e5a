#include "canvas_parts.h"

#include <string.h>

// The samples of one row, 8 or 16 bits each.
typedef struct {
  void *samples;
  bool is_wide;
} samples_row;

static uint32_t get(const samples_row *row, size_t i) {
  return row->is_wide ? ((const uint16_t *)row->samples)[i] : ((const uint8_t *)row->samples)[i];
}

static void set(const samples_row *row, size_t i, uint32_t value) {
  if (row->is_wide) {
    ((uint16_t *)row->samples)[i] = (uint16_t)value;
  } else {
    ((uint8_t *)row->samples)[i] = (uint8_t)value;
  }
}

static uint8_t byte(const samples_row *row, size_t i) {
  uint32_t value = get(row, i);
  return (uint8_t)(row->is_wide ? (value * 255 + 32767) / 65535 : value);
}

// Converts to straight alpha and to colors whose 0 is the darkest value.
static void normalize(const canvas *canvas, const samples_row *row) {
  uint32_t most = row->is_wide ? 65535 : 255, colours = canvas->format.colours;
  for (uint32_t x = 0; x < canvas->width; x++) {
    size_t i = (size_t)x * canvas->samples;
    uint32_t alpha = canvas->format.has_alpha ? get(row, i + colours) : most;
    for (uint32_t s = 0; s < colours; s++) {
      uint32_t value = get(row, i + s);
      if (canvas->format.is_premultiplied && alpha) {
        uint64_t straight = ((uint64_t)value * most + alpha / 2) / alpha;
        value = straight > most ? most : (uint32_t)straight;
      }
      set(row, i + s, canvas->format.is_inverted ? most - value : value);
    }
  }
}

static void expand(const canvas *canvas, const samples_row *row, uint8_t *line) {
  for (uint32_t x = 0; x < canvas->width; x++, line += 4) {
    size_t i = (size_t)x * canvas->samples;
    switch (canvas->format.colours) {
      case 1: line[0] = line[1] = line[2] = byte(row, i); break;
      case 3:
        for (int s = 0; s < 3; s++) line[s] = byte(row, i + s);
        break;
      default: {
        // The conversion of viewers without color management: each ink absorbs its part of the light that black
        // lets through.
        unsigned light = 255u - byte(row, i + 3);
        for (int s = 0; s < 3; s++) line[s] = (uint8_t)(((255u - byte(row, i + s)) * light + 127) / 255);
      }
    }
  }
}

void canvas_convert(canvas *canvas, void *samples, uint8_t *line) {
  samples_row row = {samples, canvas->format.is_wide};
  if (canvas->format.is_premultiplied || canvas->format.is_inverted) normalize(canvas, &row);
  if (canvas->matrix) {
    canvas_matrix_convert(canvas->matrix, samples, canvas->samples, canvas->width, line);
  } else if (canvas->transform) {
    cmsDoTransform(canvas->transform, samples, line, canvas->width);
  } else if (canvas->format.colours == 3 && !row.is_wide && canvas->samples == 3) {
    const uint8_t *from = samples;
    for (uint32_t x = 0; x < canvas->width; x++) {
      line[x * 4] = from[x * 3], line[x * 4 + 1] = from[x * 3 + 1], line[x * 4 + 2] = from[x * 3 + 2];
    }
  } else if (canvas->format.colours == 3 && !row.is_wide && canvas->samples == 4) {
    memcpy(line, samples, (size_t)canvas->width * 4);
  } else {
    expand(canvas, &row, line);
  }
  uint32_t colours = canvas->format.colours;
  for (uint32_t x = 0; x < canvas->width; x++) {
    line[x * 4 + 3] = canvas->format.has_alpha ? byte(&row, (size_t)x * canvas->samples + colours) : 255;
  }
}
