// A small C face over LibRaw: its structures are of a size and depth that Swift should not have to see.

#ifndef TPICK_CRAW_H
#define TPICK_CRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a raw file says of itself. Numbers are 0 and texts empty where it says nothing. The texts and the
// packet live as long as the file.
typedef struct {
  // Pixels as a developed picture has them, turned upright.
  uint32_t width;
  uint32_t height;
  const char *make;
  const char *model;
  const char *lens;
  double iso_speed;
  double exposure_time;  // seconds
  double f_number;
  double focal_length;  // millimetres
  // Seconds from 1970-01-01 00:00:00, both read from the camera's clock; only with TZ set to UTC.
  int64_t capture_seconds;
  bool has_coordinate;
  double latitude;  // degrees, north and east positive
  double longitude;
  const uint8_t *xmp;
  size_t xmp_length;
} craw_facts;

typedef struct craw_file craw_file;

// Reads a raw file's head; no pixels are touched. `bytes` must stay valid as long as the file.
// Returns NULL where LibRaw can't read it, and its reason.
craw_file *craw_open(const void *bytes, size_t count, craw_facts *facts, const char **reason);
void craw_close(craw_file *file);

#endif
