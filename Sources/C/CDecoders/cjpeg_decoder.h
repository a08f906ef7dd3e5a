// Declarations shared by the decoder's sources; not public.

#ifndef TPICK_CJPEG_DECODER_H
#define TPICK_CJPEG_DECODER_H

#include "include/cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// A source that is read in pieces.
typedef struct {
  struct jpeg_source_mgr manager;
  cjpeg_read read;
  const void *context;
  size_t offset;
  bool ended;
  size_t taken;  // bytes read, without those skipped
  uint8_t *buffer;
} cjpeg_stream;

// The parts of an ICC profile: up to 255, in any order.
typedef struct {
  uint8_t *parts[256];
  size_t lengths[256];
  unsigned count;
  size_t total;
  uint8_t *whole;
} cjpeg_profile_parts;

// Fields of the frame header, as libjpeg stores them.
typedef struct {
  JDIMENSION width;
  JDIMENSION height;
  int components;
  int precision;
  boolean is_progressive;
  boolean is_arithmetic;
} cjpeg_frame;

// State for shortening a scan; allocated for the first picture that can use it.
typedef struct cjpeg_thinning cjpeg_thinning;

struct cjpeg_decoder {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  cjpeg_stream stream;
  cjpeg_thinning *thinning;
  cjpeg_profile_parts profile;
  cjpeg_frame frame;
  jmp_buf escape;
  cjpeg_status failure;
  char message[JMSG_LENGTH_MAX];
  cjpeg_cancelled cancelled;
  const void *context;
  bool has_header;
  bool keeps_inks;
  bool damaged;
  bool starting;
  // Whether scans are being read, so that they can be shown even if an error follows.
  bool has_scans;
  // Whether libjpeg gave up on what follows the scans read so far, which count as the whole file.
  bool ended_early;
  bool skipping;
  uint32_t visible_rows;
};

// Shortens the scan that libjpeg is about to read by everything that does not show at 1/8. Returns false if there
// is nothing to leave out.
bool cjpeg_thin(cjpeg_decoder *decoder);

// Returns, once, whether the decode ended because the scan has something unexpected, so that all of it must be
// decoded as it is.
bool cjpeg_take_thinning_failure(cjpeg_decoder *decoder);

bool cjpeg_open_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context);

void cjpeg_collect_profile(cjpeg_decoder *decoder);
void cjpeg_forget_profile(cjpeg_decoder *decoder);

#endif
