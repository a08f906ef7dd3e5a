#include "include/craw.h"

#include <math.h>
#include <string.h>

#include <libraw/libraw.h>

// LibRaw's own fields, none of which is promised to be a number that makes sense.
static double sane(double value) { return isfinite(value) && value > 0 ? value : 0; }

static double degrees(const float *parts, bool negative) {
  double value = parts[0] + parts[1] / 60.0 + parts[2] / 3600.0;
  return negative ? -value : value;
}

static const char *text(char *field, size_t size) {
  field[size - 1] = 0;
  return field;
}

static void fill(libraw_data_t *raw, craw_facts *facts) {
  memset(facts, 0, sizeof *facts);
  facts->make = text(raw->idata.make, sizeof raw->idata.make);
  facts->model = text(raw->idata.model, sizeof raw->idata.model);
  facts->lens = text(raw->lens.Lens, sizeof raw->lens.Lens);
  if (!*facts->lens) facts->lens = text(raw->lens.makernotes.Lens, sizeof raw->lens.makernotes.Lens);
  facts->iso_speed = sane(raw->other.iso_speed);
  facts->exposure_time = sane(raw->other.shutter);
  facts->f_number = sane(raw->other.aperture);
  facts->focal_length = sane(raw->other.focal_len);
  facts->capture_seconds = raw->other.timestamp;
  const libraw_gps_info_t *gps = &raw->other.parsed_gps;
  if (gps->gpsparsed) {
    facts->latitude = degrees(gps->latitude, gps->latref == 'S');
    facts->longitude = degrees(gps->longitude, gps->longref == 'W');
    facts->has_coordinate = fabs(facts->latitude) <= 90 && fabs(facts->longitude) <= 180 &&
                            (facts->latitude != 0 || facts->longitude != 0);
  }
  if (raw->idata.xmpdata) {
    facts->xmp = (const uint8_t *)raw->idata.xmpdata;
    facts->xmp_length = raw->idata.xmplen;
  }
  // The last step, because it turns the sizes.
  if (libraw_adjust_sizes_info_only(raw) == LIBRAW_SUCCESS) {
    facts->width = raw->sizes.iwidth;
    facts->height = raw->sizes.iheight;
  }
}

craw_file *craw_open(const void *bytes, size_t count, craw_facts *facts, const char **reason) {
  *reason = "out of memory";
  libraw_data_t *raw = libraw_init(0);
  if (!raw) return NULL;
  int status = libraw_open_buffer(raw, (void *)bytes, count);
  if (status != LIBRAW_SUCCESS) {
    *reason = libraw_strerror(status);
    libraw_close(raw);
    return NULL;
  }
  fill(raw, facts);
  return (craw_file *)raw;
}

void craw_close(craw_file *file) { libraw_close((libraw_data_t *)file); }
