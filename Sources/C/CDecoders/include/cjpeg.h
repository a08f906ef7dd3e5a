// A small C face over libjpeg-turbo. libjpeg reports errors by longjmp, which must never cross a Swift
// frame: every setjmp and longjmp stays inside this file's implementation, and failures come back as codes.

#ifndef TPICK_CJPEG_H
#define TPICK_CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  CJPEG_OK = 0,
  CJPEG_CORRUPT = 1,    // cjpeg_message tells what libjpeg said
  CJPEG_CANCELLED = 2,  // the caller's cancellation test answered true
  CJPEG_NO_MEMORY = 3,
} cjpeg_status;

typedef struct {
  uint32_t width;   // as stored, before any orientation
  uint32_t height;
  uint32_t components;
  bool multiscan;              // progressive or several scans: needs all coefficients in memory
  uint64_t coefficient_bytes;  // that memory, 0 for a single scan
  // Whether colours are stored four times coarser along one side than along the other, as in 4:1:1: at a
  // reduced scale they stay so, where libjpeg makes up for what is coarse along both.
  bool is_lopsided;
  bool is_cmyk;                // four inks, whether stored as such or as YCCK
  bool is_inverted;            // whether a full sample means no ink: an Adobe marker is there
} cjpeg_info;

typedef struct {
  uint32_t width;
  uint32_t height;
  // Whether something is missing from the picture.
  bool damaged;
  // Rows from the top of the whole picture that show something of it: all of them where a file of several
  // scans ends after its first, coarse one.
  uint32_t visible_rows;
  // Whether only those parts of the scan were decoded that an eighth of the picture shows.
  bool is_thinned;
} cjpeg_result;

// A part of the picture, in pixels of the size that it is decoded at.
typedef struct {
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} cjpeg_area;

// Answers true to stop a decode; asked once per row of blocks, also while a progressive file is read.
typedef bool (*cjpeg_cancelled)(const void *context);

// Fills a buffer from an offset into the file and answers how many bytes there were; 0 at the end. Called
// between setjmp and longjmp, neither of which it sees: it returns before any error is raised.
typedef size_t (*cjpeg_read)(const void *context, size_t offset, uint8_t *buffer, size_t length);

typedef struct cjpeg_decoder cjpeg_decoder;

cjpeg_decoder *cjpeg_decoder_create(void);
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);

// Reads the header. `data` must stay valid until the decode has ended.
cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder, const uint8_t *data, size_t length, cjpeg_info *info);

// The same, reading piece by piece what is needed; segments that say nothing of the picture are passed over.
cjpeg_status cjpeg_read_header_of_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context,
                                         cjpeg_info *info);

// The ICC profile that the header brought, put together from its APP2 segments (ICC.1:2022, annex B.4); NULL
// when there is none or a part is missing. Valid until the next header is read.
const uint8_t *cjpeg_profile(cjpeg_decoder *decoder, size_t *length);

// Has the coming decode give four inks as they are stored instead of colours. To be said after the header.
void cjpeg_keep_inks(cjpeg_decoder *decoder);

// The size that a decode at eighths/8 gives.
void cjpeg_scaled_size(cjpeg_decoder *decoder, int eighths, uint32_t *width, uint32_t *height);

// Decodes to RGBA rows of width * 4 bytes at eighths/8 (1, 2, 4 or 8) of the stored size: the whole picture, or
// the pixels of `area` as the whole picture has them. The area lies inside the picture.
cjpeg_status cjpeg_decode(cjpeg_decoder *decoder, int eighths, const cjpeg_area *area, uint8_t *rgba,
                          size_t capacity, cjpeg_cancelled cancelled, const void *context,
                          cjpeg_result *result);

// What libjpeg said last; empty when it said nothing.
const char *cjpeg_message(const cjpeg_decoder *decoder);

#endif
