// A small C interface to libtiff: directories, and their pixels in bands of rows.

#ifndef TPICK_CTIFF_H
#define TPICK_CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Source of the bytes; `read` works like pread(2) and returns fewer bytes only at the end.
typedef struct {
  void *context;
  ssize_t (*read)(void *context, int64_t offset, void *bytes, size_t count);
  int64_t size;
} ctiff_source;

// One picture of the file.
typedef struct {
  uint32_t width;
  uint32_t height;
  // EXIF orientation, 1 to 8; 0 if the directory has none.
  uint8_t orientation;
  // Whether it is a smaller version of another picture, and whether it is a transparency mask: bits of the
  // tag NewSubfileType (TIFF 6.0, section 8).
  bool is_reduced;
  bool is_mask;
  // Format of the rows: see the same fields in canvas.h.
  uint8_t colours;
  uint8_t extras;
  bool has_alpha;
  bool is_premultiplied;
  bool is_inverted;
  bool is_wide;
  // Rows per band; the last one may have fewer. All rows if libtiff has to convert the picture.
  uint32_t band_rows;
  size_t row_bytes;
  // Bytes of a sample as stored; if it is wider than the canvas takes, the result occupies the first part of each
  // row.
  uint8_t sample_bytes;
  // Memory in bytes for a band, including what is needed to read it.
  uint64_t band_cost;
  bool is_converted;
} ctiff_picture;

typedef struct ctiff ctiff;

// The most directories that are examined, including those outside the main chain.
enum { CTIFF_DIRECTORIES = 32 };

// Opens a file; `source` must stay valid. No single allocation exceeds `largest` bytes. Returns NULL and sets
// `reason` if it is not a TIFF file.
ctiff *ctiff_open(const ctiff_source *source, size_t largest, const char **reason);
void ctiff_close(ctiff *file);

// Returns the offsets of the file's directories: the main chain, then those that the first of them refers to.
size_t ctiff_directories(ctiff *file, uint64_t places[CTIFF_DIRECTORIES]);

// Selects a directory. Returns false and sets `reason` if it holds no picture that can be read.
bool ctiff_turn_to(ctiff *file, uint64_t place, ctiff_picture *picture, const char **reason);

// Returns the current directory's ICC profile, valid until another directory is selected.
bool ctiff_profile(ctiff *file, const void **profile, size_t *length);

// Reads a band of the current directory: rows of `row_bytes`, from the top. Returns false if the band is damaged or
// missing.
bool ctiff_read_band(ctiff *file, const ctiff_picture *picture, uint32_t band, uint8_t *rows);

// The last message from libtiff; empty if there is none.
const char *ctiff_message(const ctiff *file);

#endif
