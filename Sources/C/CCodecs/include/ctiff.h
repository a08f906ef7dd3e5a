// A small C face over libtiff: directories, and their pixels in bands of rows.

#ifndef TPICK_CTIFF_H
#define TPICK_CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Where the bytes come from: as pread(2), fewer only at the end.
typedef struct {
  void *context;
  ssize_t (*read)(void *context, int64_t offset, void *bytes, size_t count);
  int64_t size;
} ctiff_source;

// One picture of the file.
typedef struct {
  uint32_t width;
  uint32_t height;
  // EXIF's, 1 to 8; 0 where the directory does not say.
  uint8_t orientation;
  // Of the bits of tag NewSubfileType (TIFF 6.0, section 8).
  bool is_reduced;
  bool is_mask;
  // How the rows come: see canvas.h, whose fields these are.
  uint8_t colours;
  uint8_t extras;
  bool has_alpha;
  bool is_premultiplied;
  bool is_inverted;
  bool is_wide;
  // Rows of a band; the last one may have fewer. All of them where libtiff has to convert the picture.
  uint32_t band_rows;
  size_t row_bytes;
  // Bytes of a sample as it is stored; where it has more than the canvas takes, what comes is the first part of
  // each row.
  uint8_t sample_bytes;
  // Bytes that a band and what is needed to read it take.
  uint64_t band_cost;
  bool is_converted;
} ctiff_picture;

typedef struct ctiff ctiff;

// The most directories that are looked at, also beside the main chain.
enum { CTIFF_DIRECTORIES = 32 };

// Opens a file; `source` must stay valid. No single piece of memory becomes larger than `largest` bytes.
// Returns NULL, and says why, where it is none.
ctiff *ctiff_open(const ctiff_source *source, size_t largest, const char **reason);
void ctiff_close(ctiff *file);

// The places of the file's directories: the main chain, then those that the first of them refers to.
size_t ctiff_directories(ctiff *file, uint64_t places[CTIFF_DIRECTORIES]);

// Turns to a directory.
// Returns false, and says why, where it holds no picture that can be read.
bool ctiff_turn_to(ctiff *file, uint64_t place, ctiff_picture *picture, const char **reason);

// The current directory's ICC profile; it lives as long as nothing else is turned to.
bool ctiff_profile(ctiff *file, const void **profile, size_t *length);

// Reads a band of the current directory: rows of `row_bytes`, from the top.
// Returns false where the band is damaged or missing.
bool ctiff_read_band(ctiff *file, const ctiff_picture *picture, uint32_t band, uint8_t *rows);

// What libtiff said last; empty when it said nothing.
const char *ctiff_message(const ctiff *file);

#endif
