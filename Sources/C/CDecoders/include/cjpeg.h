// A small C interface to libjpeg-turbo. libjpeg reports errors by longjmp, which must never cross a Swift frame:
// every setjmp and longjmp stays inside this implementation, and failures are returned as codes.

#ifndef TPICK_CJPEG_H
#define TPICK_CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  CJPEG_OK = 0,
  CJPEG_CORRUPT = 1,    // cjpeg_message returns libjpeg's message
  CJPEG_CANCELLED = 2,  // `cancelled` returned true
  CJPEG_NO_MEMORY = 3,
} cjpeg_status;

typedef struct {
  uint32_t width;   // as stored, before orientation
  uint32_t height;
  uint32_t components;
  bool multiscan;              // progressive or several scans: needs all coefficients in memory
  uint64_t coefficient_bytes;  // that memory, 0 for a single scan
  // Whether colors are subsampled by four in one direction, as in 4:1:1: at a reduced scale they stay so, while
  // libjpeg compensates for subsampling in both directions.
  bool is_lopsided;
  bool is_cmyk;                // four inks, whether stored as such or as YCCK
  bool is_inverted;            // a full sample means no ink, as an Adobe marker declares
} cjpeg_info;

typedef struct {
  uint32_t width;
  uint32_t height;
  // Whether parts of the picture are missing.
  bool damaged;
  // Rows, from the top of the whole picture, that show anything: all of them if a file with several scans ends
  // after its first, coarse one.
  uint32_t visible_rows;
  // Whether only the parts of the scan that show at 1/8 were decoded.
  bool is_thinned;
} cjpeg_result;

// A part of the picture, in pixels of the decoded size.
typedef struct {
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} cjpeg_area;

// Returns true to stop a decode; called once per row of blocks, also while a progressive file is read.
typedef bool (*cjpeg_cancelled)(const void *context);

// Fills a buffer from an offset in the file and returns the number of bytes; 0 at the end. Called between setjmp
// and longjmp, but returns before any error is raised.
typedef size_t (*cjpeg_read)(const void *context, size_t offset, uint8_t *buffer, size_t length);

typedef struct cjpeg_decoder cjpeg_decoder;

cjpeg_decoder *cjpeg_decoder_create(void);
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);

// Reads the header. `data` must stay valid until the decode ends.
cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder, const uint8_t *data, size_t length, cjpeg_info *info);

// The same for a stream, read in pieces; irrelevant segments are skipped.
cjpeg_status cjpeg_read_header_of_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context,
                                         cjpeg_info *info);

// Returns the ICC profile of the header, assembled from its APP2 segments (ICC.1:2022, annex B.4); NULL if there is
// none or a part is missing. Valid until the next header is read.
const uint8_t *cjpeg_profile(cjpeg_decoder *decoder, size_t *length);

// Makes the next decode output four inks as stored instead of colors. Call after the header is read.
void cjpeg_keep_inks(cjpeg_decoder *decoder);

// Size of a decode at eighths/8.
void cjpeg_scaled_size(cjpeg_decoder *decoder, int eighths, uint32_t *width, uint32_t *height);

// Decodes to RGBA rows of width * 4 bytes at eighths/8 (1, 2, 4 or 8) of the stored size: the whole picture, or the
// pixels of `area`, identical to those of the whole picture. The area must be inside the picture.
cjpeg_status cjpeg_decode(cjpeg_decoder *decoder, int eighths, const cjpeg_area *area, uint8_t *rgba,
                          size_t capacity, cjpeg_cancelled cancelled, const void *context,
                          cjpeg_result *result);

// The last message from libjpeg; empty if there is none.
const char *cjpeg_message(const cjpeg_decoder *decoder);

#endif
