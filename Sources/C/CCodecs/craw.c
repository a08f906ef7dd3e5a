#include "craw_place.h"
#include "craw_stream.h"
#include "include/craw.h"

#include <math.h>
#include <string.h>

#include <libraw/libraw.h>

// Upper bound of LibRaw's memory for sensor data.
enum { MOST_MEGABYTES = 1024 };

// Fields of LibRaw may hold NaN, infinite or negative numbers.
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
  // Last, because it swaps the sizes according to the orientation.
  if (libraw_adjust_sizes_info_only(raw) == LIBRAW_SUCCESS) {
    facts->width = raw->sizes.iwidth;
    facts->height = raw->sizes.iheight;
  }
}

static libraw_data_t *make(const char **reason) {
  *reason = "out of memory";
  libraw_data_t *raw = libraw_init(0);
  if (!raw) return NULL;
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
  raw->rawparams.max_raw_memory_mb = MOST_MEGABYTES;
#else
  raw->params.max_raw_memory_mb = MOST_MEGABYTES;
#endif
  return raw;
}

static craw_file *opened(libraw_data_t *raw, int status, craw_facts *facts, const char **reason) {
  if (status != LIBRAW_SUCCESS) {
    *reason = libraw_strerror(status);
    libraw_close(raw);
    return NULL;
  }
  if (facts) fill(raw, facts);
  return (craw_file *)raw;
}

craw_file *craw_open(const void *bytes, size_t count, craw_facts *facts, const char **reason) {
  libraw_data_t *raw = make(reason);
  return raw ? opened(raw, libraw_open_buffer(raw, (void *)bytes, count), facts, reason) : NULL;
}

craw_file *craw_open_stream(craw_stream *stream, craw_facts *facts, const char **reason) {
  libraw_data_t *raw = make(reason);
  return raw ? opened(raw, craw_stream_open(raw, stream), facts, reason) : NULL;
}

void craw_close(craw_file *file) { libraw_close((libraw_data_t *)file); }

craw_picture craw_measure(const craw_file *file) {
  const libraw_data_t *raw = (const libraw_data_t *)file;
  // LibRaw's flip is a bit field: 4 swaps the axes, then 2 flips vertically and 1 horizontally.
  static const uint8_t orientations[8] = {1, 2, 4, 3, 5, 8, 6, 7};
  const libraw_image_sizes_t *sizes = &raw->sizes;
  int flip = raw->params.user_flip >= 0 ? raw->params.user_flip : sizes->flip;
  bool turned = (flip & 4) != 0;
  return (craw_picture){.width = turned ? sizes->height : sizes->width,
                        .height = turned ? sizes->width : sizes->height,
                        .sensor_pixels = (uint64_t)sizes->raw_width * sizes->raw_height,
                        .orientation = orientations[flip & 7]};
}

// LibRaw 0.20 allocates memory for an uncompressed preview by its dimensions, but reads as many bytes as the
// file claims, for each layer. It tells the kind of the preview only afterwards. For a JPEG stream, the length
// matters and the dimensions do not, so these are raised to fit the length. For all other kinds, the length is
// set to 0: LibRaw then reads by the dimensions.
static bool bound_preview(libraw_data_t *raw, const uint8_t *bytes, size_t count) {
  libraw_thumbnail_t *said = &raw->thumbnail;
  int64_t place = craw_preview_place(raw);
  if (place < 0 || (uint64_t)place + 2 > count) return false;
  // Some cameras omit the first byte of the stream.
  if (bytes[place + 1] != 0xD8) {
    said->tlength = 0;
    return true;
  }
  if (said->tlength > count - place) said->tlength = (unsigned)(count - place);
  if (said->tlength > INT32_MAX - UINT16_MAX) return false;
  if (said->tlength > (uint64_t)said->twidth * said->theight) {
    said->twidth = UINT16_MAX;
    said->theight = (ushort)(said->tlength / UINT16_MAX + 1);
  }
  return true;
}

craw_range craw_preview_range(craw_file *file, size_t count) {
  libraw_data_t *raw = (libraw_data_t *)file;
  int64_t place = craw_preview_place(raw);
  if (place < 0 || (uint64_t)place >= count) return (craw_range){.offset = count};
  size_t length = raw->thumbnail.tlength < 2 ? 2 : raw->thumbnail.tlength;
  return (craw_range){.offset = (size_t)place, .count = length < count - (size_t)place ? length : count - (size_t)place};
}

static bool is_blank(const char *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (bytes[index]) return false;
  }
  return true;
}

bool craw_read_preview(craw_file *file, const void *bytes, size_t count, craw_preview *preview) {
  libraw_data_t *raw = (libraw_data_t *)file;
  if (!bound_preview(raw, bytes, count) || libraw_unpack_thumb(raw) != LIBRAW_SUCCESS) return false;
  const libraw_thumbnail_t *found = &raw->thumbnail;
  *preview = (craw_preview){.bytes = (const uint8_t *)found->thumb, .length = found->tlength};
  if (!found->thumb || !found->tlength) return false;
  if (found->tformat == LIBRAW_THUMBNAIL_JPEG) {
    preview->is_jpeg = true;
    return true;
  }
  // Adjusted dimensions: the data starts like a JPEG stream, but consists of layers.
  if (found->twidth == UINT16_MAX) return false;
  // Layers without a length stay blank.
  if (found->tformat != LIBRAW_THUMBNAIL_BITMAP || is_blank(found->thumb, found->tlength)) return false;
  preview->width = found->twidth;
  preview->height = found->theight;
  preview->colours = found->tcolors == 1 ? 1 : 3;
  uint64_t needed = (uint64_t)preview->width * preview->height * preview->colours;
  return (found->tcolors == 1 || found->tcolors == 3) && needed && needed <= preview->length;
}

bool craw_develop(craw_file *file, bool half, craw_pixels *pixels, const char **reason) {
  libraw_data_t *raw = (libraw_data_t *)file;
  raw->params.half_size = half;
  raw->params.use_camera_wb = 1;
  raw->params.output_color = 1;
  raw->params.output_bps = 8;
  int status = libraw_unpack(raw);
  if (status == LIBRAW_SUCCESS) status = libraw_dcraw_process(raw);
  libraw_processed_image_t *image = NULL;
  if (status == LIBRAW_SUCCESS) image = libraw_dcraw_make_mem_image(raw, &status);
  if (!image) {
    *reason = status == LIBRAW_SUCCESS ? "out of memory" : libraw_strerror(status);
    return false;
  }
  uint64_t needed = (uint64_t)image->width * image->height * image->colors;
  if (image->type != LIBRAW_IMAGE_BITMAP || (image->colors != 1 && image->colors != 3) || image->bits != 8 || !needed ||
      needed > image->data_size) {
    libraw_dcraw_clear_mem(image);
    *reason = "an unsupported kind of sensor";
    return false;
  }
  *pixels = (craw_pixels){image->data, image->width, image->height, (uint8_t)image->colors, image};
  return true;
}

void craw_release(craw_pixels *pixels) { libraw_dcraw_clear_mem(pixels->owner); }
