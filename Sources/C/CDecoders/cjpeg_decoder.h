// What the files of the decoder share; nobody else sees it.

#ifndef TPICK_CJPEG_DECODER_H
#define TPICK_CJPEG_DECODER_H

#include "include/cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// Where the bytes come from when they are read piece by piece.
typedef struct {
  struct jpeg_source_mgr manager;
  cjpeg_read read;
  const void *context;
  size_t offset;
  bool ended;
  size_t taken;  // bytes that were read, not those that were passed over
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

// What the frame's header says, as libjpeg keeps it.
typedef struct {
  JDIMENSION width;
  JDIMENSION height;
  int components;
  int precision;
  boolean is_progressive;
  boolean is_arithmetic;
} cjpeg_frame;

// What a scan is made shorter with; made for the first picture that it is of use for.
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
  // Whether scans are being read, so that what there is of them can be shown whatever follows.
  bool has_scans;
  // Whether libjpeg gave up on what follows the scans that were read: they count as the whole.
  bool ended_early;
  bool skipping;
  uint32_t visible_rows;
};

// Has what libjpeg reads of the scan that is about to begin made shorter: everything is left out of it that a picture at
// an eighth shows nothing of. Answers whether there is such a thing.
bool cjpeg_thin(cjpeg_decoder *decoder);

// Whether the decode has ended because something unexpected is in the scan, so that all of it has to be read; once.
bool cjpeg_take_thinning_failure(cjpeg_decoder *decoder);

bool cjpeg_open_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context);

void cjpeg_collect_profile(cjpeg_decoder *decoder);
void cjpeg_forget_profile(cjpeg_decoder *decoder);

#endif
