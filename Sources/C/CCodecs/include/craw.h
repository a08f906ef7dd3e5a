// A small C interface to LibRaw, whose large nested structures Swift need not import.

#ifndef TPICK_CRAW_H
#define TPICK_CRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Metadata of a raw file. Missing numbers are 0 and missing texts empty. The texts and the packet are owned by the
// file.
typedef struct {
  // Size in pixels of the developed, upright picture.
  uint32_t width;
  uint32_t height;
  const char *make;
  const char *model;
  const char *lens;
  double iso_speed;
  double exposure_time;  // seconds
  double f_number;
  double focal_length;  // millimeters
  // Seconds between 1970-01-01 00:00:00 and the capture, both in the camera's local time; correct only with TZ set
  // to UTC.
  int64_t capture_seconds;
  bool has_coordinate;
  double latitude;  // degrees, north and east positive
  double longitude;
  const uint8_t *xmp;
  size_t xmp_length;
} craw_facts;

typedef struct craw_file craw_file;

// Reads the header of a raw file without decoding pixels. `bytes` must outlive the file. A file opened with `facts`
// cannot decode pixels, because LibRaw swaps its sizes for them; pass NULL to decode. Returns NULL and sets
// `reason` if LibRaw cannot read the file.
craw_file *craw_open(const void *bytes, size_t count, craw_facts *facts, const char **reason);
void craw_close(craw_file *file);

// Reports whether `count` bytes from `offset` are available; some parts of the file may not be fetched yet.
typedef struct {
  void *context;
  bool (*has)(void *context, size_t offset, size_t count);
} craw_guard;

// A stream over bytes that reads only what a guard allows. `bytes` and the guard's context must outlive it.
typedef struct craw_stream craw_stream;

// Returns NULL if memory is short.
craw_stream *craw_stream_make(const void *bytes, size_t count, craw_guard guard);
void craw_stream_free(craw_stream *stream);

// Like `craw_open`, through a stream that must outlive the file.
craw_file *craw_open_stream(craw_stream *stream, craw_facts *facts, const char **reason);

// Sizes and orientation for decoding.
typedef struct {
  // Size in pixels of the developed, upright picture.
  uint32_t width;
  uint32_t height;
  // Pixels of the sensor data, including its margins.
  uint64_t sensor_pixels;
  // EXIF orientation, 1 to 8.
  uint8_t orientation;
} craw_picture;

craw_picture craw_measure(const craw_file *file);

// The largest preview in the file, before orientation: a JPEG stream, or rows of 8-bit grayscale or RGB samples.
typedef struct {
  bool is_jpeg;
  const uint8_t *bytes;
  size_t length;
  // For rows only.
  uint32_t width;
  uint32_t height;
  uint8_t colours;
} craw_preview;

// Position of the largest preview in a file of `count` bytes, as far as the file tells.
typedef struct {
  size_t offset;
  size_t count;
} craw_range;

craw_range craw_preview_range(craw_file *file, size_t count);

// Reads the preview; pass the bytes that the file was opened with. Returns false if no preview can be read.
bool craw_read_preview(craw_file *file, const void *bytes, size_t count, craw_preview *preview);

// Rows of 8-bit RGB or grayscale samples, sRGB, upright.
typedef struct {
  const uint8_t *bytes;
  uint32_t width;
  uint32_t height;
  uint8_t colours;
  void *owner;
} craw_pixels;

// Develops the picture with the camera's white balance, at half size in both directions if `half`. Returns false
// and sets `reason` on failure. Free the pixels with `craw_release`.
bool craw_develop(craw_file *file, bool half, craw_pixels *pixels, const char **reason);
void craw_release(craw_pixels *pixels);

#ifdef __cplusplus
}
#endif

#endif
