#include "cjpeg_decoder.h"

#include <string.h>

#include <jerror.h>

// "ICC_PROFILE", a NUL, the number of this part from 1 on, and the number of parts (ICC.1:2022, annex B.4).
static const char mark[12] = "ICC_PROFILE";
enum { HEAD_LENGTH = 14, LONGEST_PROFILE = 4 << 20 };

static uint8_t next_byte(j_decompress_ptr info) {
  struct jpeg_source_mgr *source = info->src;
  if (!source->bytes_in_buffer) source->fill_input_buffer(info);
  source->bytes_in_buffer--;
  return *source->next_input_byte++;
}

static void take(cjpeg_decoder *decoder, const uint8_t *head, size_t length) {
  cjpeg_profile_parts *profile = &decoder->profile;
  unsigned number = head[12];
  profile->count = head[13];
  uint8_t *part = malloc(length);
  if (!part) ERREXIT1(&decoder->info, JERR_OUT_OF_MEMORY, 0);
  // Stored before it is filled, so that an error while reading does not leak it.
  free(profile->parts[number]);
  profile->total += length - profile->lengths[number];
  profile->parts[number] = part;
  profile->lengths[number] = length;
  for (size_t i = 0; i < length; i++) part[i] = next_byte(&decoder->info);
}

static boolean read_segment(j_decompress_ptr info) {
  cjpeg_decoder *decoder = info->client_data;
  long length = next_byte(info) << 8;
  length = (length | next_byte(info)) - 2;
  uint8_t head[HEAD_LENGTH];
  if (length > HEAD_LENGTH) {
    for (int i = 0; i < HEAD_LENGTH; i++) head[i] = next_byte(info);
    length -= HEAD_LENGTH;
    bool fits = decoder->profile.total + (size_t)length <= LONGEST_PROFILE;
    if (!memcmp(head, mark, sizeof mark) && fits) {
      take(decoder, head, (size_t)length);
      return TRUE;
    }
  }
  if (length > 0) info->src->skip_input_data(info, length);
  return TRUE;
}

void cjpeg_collect_profile(cjpeg_decoder *decoder) {
  jpeg_set_marker_processor(&decoder->info, JPEG_APP0 + 2, read_segment);
}

void cjpeg_forget_profile(cjpeg_decoder *decoder) {
  cjpeg_profile_parts *profile = &decoder->profile;
  for (int i = 0; i < 256; i++) free(profile->parts[i]);
  free(profile->whole);
  memset(profile, 0, sizeof *profile);
}

const uint8_t *cjpeg_profile(cjpeg_decoder *decoder, size_t *length) {
  cjpeg_profile_parts *profile = &decoder->profile;
  *length = 0;
  if (!profile->count) return NULL;
  for (unsigned i = 1; i <= profile->count; i++) {
    if (!profile->parts[i]) return NULL;
  }
  if (!profile->whole) profile->whole = malloc(profile->total);
  if (!profile->whole) return NULL;
  for (unsigned i = 1; i <= profile->count; i++) {
    memcpy(profile->whole + *length, profile->parts[i], profile->lengths[i]);
    *length += profile->lengths[i];
  }
  return profile->whole;
}
