#include "include/cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// More scans than any sane encoder writes: a small file of endless scans must not cost minutes
// (libjpeg-turbo's advice, "Two Issues with the JPEG Standard", 2016).
enum { MAX_SCANS = 200 };

struct cjpeg_decoder {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  cjpeg_status failure;
  char message[JMSG_LENGTH_MAX];
  cjpeg_cancelled cancelled;
  const void *context;
  bool damaged;
  bool starting;
  uint32_t visible_rows;
};

static cjpeg_decoder *owner(j_common_ptr info) { return info->client_data; }

static void fail(j_common_ptr info) {
  cjpeg_decoder *decoder = owner(info);
  info->err->format_message(info, decoder->message);
  decoder->failure = info->err->msg_code == JERR_OUT_OF_MEMORY ? CJPEG_NO_MEMORY : CJPEG_CORRUPT;
  longjmp(decoder->escape, 1);
}

// Warnings that mean that pixels are missing; others (stray bytes between segments) cost nothing.
static bool is_damage(int code) {
  return code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE;
}

static void warn(j_common_ptr info, int level) {
  cjpeg_decoder *decoder = owner(info);
  if (level >= 0) return;
  info->err->num_warnings++;
  if (!decoder->damaged && is_damage(info->err->msg_code)) {
    struct jpeg_decompress_struct *decompress = &decoder->info;
    decoder->damaged = true;
    if (!decoder->starting) {
      decoder->visible_rows = decompress->output_scanline;
    } else if (decompress->input_scan_number > 1) {
      decoder->visible_rows = decompress->output_height;
    } else {
      decoder->visible_rows = (uint32_t)((uint64_t)decompress->output_height * decompress->input_iMCU_row /
                                         (decompress->total_iMCU_rows ? decompress->total_iMCU_rows : 1));
    }
    info->err->format_message(info, decoder->message);
  }
}

static void silent(j_common_ptr info) { (void)info; }

static void monitor(j_common_ptr info) {
  cjpeg_decoder *decoder = owner(info);
  if (decoder->cancelled && decoder->cancelled(decoder->context)) {
    decoder->failure = CJPEG_CANCELLED;
    longjmp(decoder->escape, 1);
  }
  if (decoder->info.input_scan_number > MAX_SCANS) {
    snprintf(decoder->message, sizeof decoder->message, "more than %d scans", MAX_SCANS);
    decoder->failure = CJPEG_CORRUPT;
    longjmp(decoder->escape, 1);
  }
}

cjpeg_decoder *cjpeg_decoder_create(void) {
  cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->info.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = fail;
  decoder->errors.emit_message = warn;
  decoder->errors.output_message = silent;
  decoder->info.client_data = decoder;
  if (setjmp(decoder->escape)) {
    free(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->info);
  decoder->info.client_data = decoder;
  decoder->progress.progress_monitor = monitor;
  decoder->info.progress = &decoder->progress;
  return decoder;
}

void cjpeg_decoder_destroy(cjpeg_decoder *decoder) {
  if (!decoder) return;
  jpeg_destroy_decompress(&decoder->info);
  free(decoder);
}

const char *cjpeg_message(const cjpeg_decoder *decoder) { return decoder->message; }

static uint64_t coefficient_bytes(const struct jpeg_decompress_struct *info) {
  uint64_t blocks = 0;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    uint64_t across = ((uint64_t)info->image_width * component->h_samp_factor / info->max_h_samp_factor + 7) / 8;
    uint64_t down = ((uint64_t)info->image_height * component->v_samp_factor / info->max_v_samp_factor + 7) / 8;
    blocks += across * down;
  }
  return blocks * sizeof(JBLOCK);
}

cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder, const uint8_t *data, size_t length, cjpeg_info *out) {
  decoder->message[0] = 0;
  decoder->damaged = false;
  decoder->cancelled = NULL;
  decoder->failure = CJPEG_OK;
  if (setjmp(decoder->escape)) {
    jpeg_abort_decompress(&decoder->info);
    return decoder->failure;
  }
  jpeg_abort_decompress(&decoder->info);
  jpeg_mem_src(&decoder->info, (unsigned char *)data, length);
  jpeg_read_header(&decoder->info, TRUE);
  out->width = decoder->info.image_width;
  out->height = decoder->info.image_height;
  out->components = decoder->info.num_components;
  out->multiscan = jpeg_has_multiple_scans(&decoder->info);
  out->coefficient_bytes = out->multiscan ? coefficient_bytes(&decoder->info) : 0;
  return CJPEG_OK;
}

static void choose_output(cjpeg_decoder *decoder, int eighths) {
  struct jpeg_decompress_struct *info = &decoder->info;
  info->scale_num = eighths;
  info->scale_denom = 8;
  bool four = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
  info->out_color_space = four ? JCS_CMYK : JCS_EXT_RGBA;
}

void cjpeg_scaled_size(cjpeg_decoder *decoder, int eighths, uint32_t *width, uint32_t *height) {
  *width = (uint32_t)(((uint64_t)decoder->info.image_width * eighths + 7) / 8);
  *height = (uint32_t)(((uint64_t)decoder->info.image_height * eighths + 7) / 8);
}

// Adobe writes CMYK inverted; a plain multiplication by black is what viewers without profiles do.
static void cmyk_to_rgba(uint8_t *row, uint32_t width, bool inverted) {
  for (uint32_t x = 0; x < width; x++, row += 4) {
    unsigned k = inverted ? row[3] : 255u - row[3];
    for (int i = 0; i < 3; i++) {
      unsigned ink = inverted ? row[i] : 255u - row[i];
      row[i] = (uint8_t)((ink * k + 127) / 255);
    }
    row[3] = 255;
  }
}

cjpeg_status cjpeg_decode(cjpeg_decoder *decoder, int eighths, uint8_t *rgba, size_t capacity,
                          cjpeg_cancelled cancelled, const void *context, cjpeg_result *result) {
  struct jpeg_decompress_struct *info = &decoder->info;
  decoder->cancelled = cancelled;
  decoder->context = context;
  decoder->failure = CJPEG_OK;
  if (setjmp(decoder->escape)) {
    jpeg_abort_decompress(info);
    return decoder->failure;
  }
  choose_output(decoder, eighths);
  // A file of several scans is read whole before the first row comes out: damage shows already then.
  decoder->starting = true;
  jpeg_start_decompress(info);
  decoder->starting = false;
  size_t stride = (size_t)info->output_width * 4;
  if (stride * info->output_height > capacity || info->output_components != 4) {
    snprintf(decoder->message, sizeof decoder->message, "unexpected size or colour space");
    jpeg_abort_decompress(info);
    return CJPEG_CORRUPT;
  }
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = rgba + stride * info->output_scanline;
    jpeg_read_scanlines(info, &row, 1);
    if (info->out_color_space == JCS_CMYK) cmyk_to_rgba(row, info->output_width, info->saw_Adobe_marker);
  }
  result->width = info->output_width;
  result->height = info->output_height;
  result->damaged = decoder->damaged;
  result->visible_rows = decoder->damaged ? decoder->visible_rows : info->output_height;
  jpeg_finish_decompress(info);
  return CJPEG_OK;
}
