// A small C face over LibRaw: its structures are of a size and depth that Swift should not have to see.

#ifndef TPICK_CRAW_H
#define TPICK_CRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

// Reads a raw file's head; no pixels are touched. `bytes` must stay valid as long as the file. With `facts` the
// file is good for nothing else afterwards: LibRaw turns its sizes for them. NULL keeps it fit for pixels.
// Returns NULL where LibRaw can't read it, and its reason.
craw_file *craw_open(const void *bytes, size_t count, craw_facts *facts, const char **reason);
void craw_close(craw_file *file);

// Says whether `count` bytes from `offset` on are there; those of a file of which parts are yet to be fetched may not be.
typedef struct {
  void *context;
  bool (*has)(void *context, size_t offset, size_t count);
} craw_guard;

// Bytes that are read only where a guard lets them be. `bytes` and the guard's context must stay valid as long as it.
typedef struct craw_stream craw_stream;

// Returns NULL where there is no memory.
craw_stream *craw_stream_make(const void *bytes, size_t count, craw_guard guard);
void craw_stream_free(craw_stream *stream);

// As `craw_open`, through a stream that must stay valid as long as the file.
craw_file *craw_open_stream(craw_stream *stream, craw_facts *facts, const char **reason);

// What there is to decode.
typedef struct {
  // Pixels of the developed picture, turned upright.
  uint32_t width;
  uint32_t height;
  // Of the sensor's data, with its margins.
  uint64_t sensor_pixels;
  // EXIF's orientation, 1 to 8.
  uint8_t orientation;
} craw_picture;

craw_picture craw_measure(const craw_file *file);

// The largest preview in the file, not turned: a JPEG stream, or rows of grey or RGB samples of 8 bits.
typedef struct {
  bool is_jpeg;
  const uint8_t *bytes;
  size_t length;
  // Only of rows.
  uint32_t width;
  uint32_t height;
  uint8_t colours;
} craw_preview;

// Where in a file of `count` bytes the largest preview lies, as far as the file says.
typedef struct {
  size_t offset;
  size_t count;
} craw_range;

craw_range craw_preview_range(craw_file *file, size_t count);

// Takes the bytes that the file was opened with. Returns false where there is none that can be read.
bool craw_read_preview(craw_file *file, const void *bytes, size_t count, craw_preview *preview);

// Rows of RGB or grey samples of 8 bits, sRGB, upright.
typedef struct {
  const uint8_t *bytes;
  uint32_t width;
  uint32_t height;
  uint8_t colours;
  void *owner;
} craw_pixels;

// Develops the picture with the camera's white balance, by half in both directions if a coarse one will do.
// Returns false, and says why, where that fails. `craw_release` frees the pixels.
bool craw_develop(craw_file *file, bool half, craw_pixels *pixels, const char **reason);
void craw_release(craw_pixels *pixels);

#ifdef __cplusplus
}
#endif

#endif
