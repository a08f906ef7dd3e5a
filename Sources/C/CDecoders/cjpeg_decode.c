#include "cjpeg_decoder.h"

#include <string.h>

#include <jerror.h>

// More scans than any sane encoder writes: a small file of endless scans must not cost minutes (libjpeg-turbo's
// advice, "Two Issues with the JPEG Standard", 2016).
enum { MAX_SCANS = 200 };

static cjpeg_decoder *owner(j_common_ptr info) { return info->client_data; }

static void fail(j_common_ptr info) {
  cjpeg_decoder *decoder = owner(info);
  // The first problem is the cause of the later ones: keep its message.
  if (!decoder->damaged) info->err->format_message(info, decoder->message);
  decoder->failure = info->err->msg_code == JERR_OUT_OF_MEMORY ? CJPEG_NO_MEMORY : CJPEG_CORRUPT;
  longjmp(decoder->escape, 1);
}

// Number of rows, from the top, that show anything from the data read up to now.
static uint32_t rows_so_far(const cjpeg_decoder *decoder) {
  const struct jpeg_decompress_struct *info = &decoder->info;
  if (!decoder->starting && !decoder->skipping) return info->output_scanline;
  if (info->input_scan_number > 1) return info->output_height;
  return (uint32_t)((uint64_t)info->output_height * info->input_iMCU_row /
                    (info->total_iMCU_rows ? info->total_iMCU_rows : 1));
}

// Whether a warning means that pixels are missing; other warnings (stray bytes between segments) are harmless.
static bool is_damage(int code) {
  return code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE;
}

static void warn(j_common_ptr info, int level) {
  cjpeg_decoder *decoder = owner(info);
  if (level >= 0) return;
  info->err->num_warnings++;
  if (!decoder->damaged && is_damage(info->err->msg_code)) {
    decoder->damaged = true;
    decoder->visible_rows = rows_so_far(decoder);
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
  if (decoder->starting) decoder->has_scans = true;
  if (decoder->info.input_scan_number > MAX_SCANS) {
    decoder->has_scans = false;
    snprintf(decoder->message, sizeof decoder->message, "more than %d scans", MAX_SCANS);
    decoder->failure = CJPEG_CORRUPT;
    longjmp(decoder->escape, 1);
  }
}

static void begin(cjpeg_decoder *decoder) {
  jpeg_create_decompress(&decoder->info);
  decoder->info.client_data = decoder;
  decoder->info.progress = &decoder->progress;
  cjpeg_collect_profile(decoder);
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
  decoder->progress.progress_monitor = monitor;
  begin(decoder);
  return decoder;
}

void cjpeg_decoder_destroy(cjpeg_decoder *decoder) {
  if (!decoder) return;
  jpeg_destroy_decompress(&decoder->info);
  cjpeg_forget_profile(decoder);
  free(decoder->stream.buffer);
  free(decoder->thinning);
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

static bool is_lopsided(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    int across = info->max_h_samp_factor / component->h_samp_factor;
    int down = info->max_v_samp_factor / component->v_samp_factor;
    if (across >= 4 * down || down >= 4 * across) return true;
  }
  return false;
}

static cjpeg_status read_header(cjpeg_decoder *decoder, const uint8_t *data, size_t length, cjpeg_info *out) {
  struct jpeg_decompress_struct *info = &decoder->info;
  decoder->message[0] = 0;
  decoder->damaged = false;
  decoder->has_header = false;
  decoder->keeps_inks = false;
  decoder->cancelled = NULL;
  decoder->failure = CJPEG_OK;
  cjpeg_forget_profile(decoder);
  if (setjmp(decoder->escape)) {
    jpeg_abort_decompress(info);
    return decoder->failure;
  }
  // libjpeg keeps tables for abbreviated streams: a file without tables would be decoded with those of the previous
  // file.
  jpeg_destroy_decompress(info);
  begin(decoder);
  if (data) {
    jpeg_mem_src(info, (unsigned char *)data, length);
  } else {
    info->src = &decoder->stream.manager;
  }
  jpeg_read_header(info, TRUE);
  decoder->has_header = true;
  decoder->frame = (cjpeg_frame){
      .width = info->image_width,
      .height = info->image_height,
      .components = info->num_components,
      .precision = info->data_precision,
      .is_progressive = info->progressive_mode,
      .is_arithmetic = info->arith_code,
  };
  bool four = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
  out->width = info->image_width;
  out->height = info->image_height;
  out->components = info->num_components;
  out->multiscan = jpeg_has_multiple_scans(info);
  out->coefficient_bytes = out->multiscan ? coefficient_bytes(info) : 0;
  out->is_lopsided = is_lopsided(info);
  out->is_cmyk = four;
  out->is_inverted = four && info->saw_Adobe_marker;
  return CJPEG_OK;
}

cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder, const uint8_t *data, size_t length, cjpeg_info *info) {
  static const uint8_t nothing;
  return read_header(decoder, data ? data : &nothing, length, info);
}

cjpeg_status cjpeg_read_header_of_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context,
                                         cjpeg_info *info) {
  if (!cjpeg_open_stream(decoder, read, context)) return CJPEG_NO_MEMORY;
  return read_header(decoder, NULL, 0, info);
}

void cjpeg_keep_inks(cjpeg_decoder *decoder) { decoder->keeps_inks = true; }

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

// Adobe writes CMYK inverted; a plain multiplication by black is what viewers without color management do.
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

// Whether the mean of every component is precise enough for a picture at 1/8, whose pixels are the means of blocks:
// low bits may be missing as long as they are worth no more than 3 levels of 255.
static bool means_are_known(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++) {
    int missing = info->coef_bits[i][0];
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    if (missing < 0 || missing > 1 || !table || (table->quantval[0] << missing) > 24) return false;
  }
  return true;
}

// A progressive file stores the means of blocks first: for 1/8, the rest need not even be read.
static void start_with_means(cjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *info = &decoder->info;
  if (!decoder->ended_early) {
    info->buffered_image = TRUE;
    info->do_block_smoothing = FALSE;
    jpeg_start_decompress(info);
    decoder->has_scans = true;
  }
  for (;;) {
    int news = jpeg_consume_input(info);
    monitor((j_common_ptr)info);
    if (news == JPEG_REACHED_EOI || (news == JPEG_SCAN_COMPLETED && means_are_known(info))) break;
  }
  jpeg_start_output(info, info->input_scan_number);
}

// Reads the whole picture.
static void read_rows(cjpeg_decoder *decoder, uint8_t *rgba, bool mixes_inks) {
  struct jpeg_decompress_struct *info = &decoder->info;
  size_t stride = (size_t)info->output_width * 4;
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = rgba + stride * info->output_scanline;
    jpeg_read_scanlines(info, &row, 1);
    if (mixes_inks) cmyk_to_rgba(row, info->output_width, info->saw_Adobe_marker);
  }
}

// Skips rows in pieces, so that it can be cancelled between them.
static void skip_rows(cjpeg_decoder *decoder, uint32_t count) {
  enum { PIECE = 256 };
  decoder->skipping = true;
  while (count > 0) {
    uint32_t piece = count < PIECE ? count : PIECE;
    jpeg_skip_scanlines(&decoder->info, piece);
    count -= piece;
    monitor((j_common_ptr)&decoder->info);
  }
  decoder->skipping = false;
}

// Reads a part of the picture: rows above it are entropy-decoded only, columns beside it are limited to the blocks
// that contain it, and rows below it are not read.
static void read_area(cjpeg_decoder *decoder, const cjpeg_area *area, uint8_t *rgba, bool mixes_inks) {
  struct jpeg_decompress_struct *info = &decoder->info;
  // Subsampled colors are interpolated from their neighbors: at the edges of the decoded region they differ from
  // those in the whole picture, so decode a border around the area.
  enum { BORDER = 16 };
  JDIMENSION left = area->x > BORDER ? area->x - BORDER : 0;
  JDIMENSION width = info->output_width - left;
  if (width > area->x - left + area->width + BORDER) width = area->x - left + area->width + BORDER;
  if (width < info->output_width) jpeg_crop_scanline(info, &left, &width);
  uint32_t above = area->y > BORDER ? area->y - BORDER : 0;
  skip_rows(decoder, above);
  // From the picture's memory pool, so that it is freed even after an error.
  JSAMPROW line = info->mem->alloc_large((j_common_ptr)info, JPOOL_IMAGE, (size_t)info->output_width * 4);
  size_t stride = (size_t)area->width * 4;
  while (info->output_scanline < area->y + area->height) {
    uint32_t y = info->output_scanline;
    jpeg_read_scanlines(info, &line, 1);
    if (y < area->y) continue;
    uint8_t *row = rgba + stride * (y - area->y);
    memcpy(row, line + (size_t)(area->x - left) * 4, stride);
    if (mixes_inks) cmyk_to_rgba(row, area->width, info->saw_Adobe_marker);
  }
}

// Restores the frame header: libjpeg rejects a second one only after it has stored its values, and buffers made for
// the first frame would be misread.
static void restore_frame(cjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *info = &decoder->info;
  info->image_width = decoder->frame.width;
  info->image_height = decoder->frame.height;
  info->num_components = decoder->frame.components;
  info->data_precision = decoder->frame.precision;
  info->progressive_mode = decoder->frame.is_progressive;
  info->arith_code = decoder->frame.is_arithmetic;
}

// Whether an error between scans, such as a truncated table, still leaves complete scans to show. If so, makes
// libjpeg see the end of the file at this point.
static bool ends_early(cjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *info = &decoder->info;
  bool may = decoder->starting && decoder->has_scans && !decoder->ended_early;
  if (!may || decoder->failure != CJPEG_CORRUPT) return false;
  decoder->ended_early = true;
  decoder->failure = CJPEG_OK;
  restore_frame(decoder);
  if (!decoder->damaged) decoder->visible_rows = rows_so_far(decoder);
  decoder->damaged = true;
  decoder->stream.ended = true;
  info->src->bytes_in_buffer = 0;
  info->unread_marker = 0;
  // Do not wait for a scan that could not be started.
  info->input_iMCU_row = info->total_iMCU_rows;
  if (decoder->visible_rows > 0) return true;
  decoder->failure = CJPEG_CORRUPT;
  return false;
}

static bool is_inside(const cjpeg_area *area, const struct jpeg_decompress_struct *info) {
  return area->width > 0 && area->height > 0 && area->x < info->output_width &&
         area->width <= info->output_width - area->x && area->y < info->output_height &&
         area->height <= info->output_height - area->y;
}

// - Parameter thins: whether to leave out details that are invisible at this scale.
static cjpeg_status decode(cjpeg_decoder *decoder, int eighths, const cjpeg_area *area, uint8_t *rgba, size_t capacity,
                           cjpeg_cancelled cancelled, const void *context, bool thins, cjpeg_result *result) {
  struct jpeg_decompress_struct *info = &decoder->info;
  decoder->cancelled = cancelled;
  decoder->context = context;
  decoder->failure = CJPEG_OK;
  decoder->skipping = false;
  decoder->starting = false;
  decoder->has_scans = false;
  decoder->ended_early = false;
  if (setjmp(decoder->escape)) {
    if (!ends_early(decoder)) {
      jpeg_abort_decompress(info);
      return decoder->failure;
    }
  } else {
    choose_output(decoder, eighths);
  }
  // A file with several scans is read whole before the first row is output, so damage shows up here.
  decoder->starting = true;
  if (eighths == 1 && info->progressive_mode && !area) {
    start_with_means(decoder);
  } else {
    jpeg_start_decompress(info);
  }
  result->is_thinned = thins && eighths == 1 && !area && cjpeg_thin(decoder);
  decoder->starting = false;
  size_t width = area ? area->width : info->output_width;
  size_t height = area ? area->height : info->output_height;
  if ((area && !is_inside(area, info)) || width * 4 * height > capacity || info->output_components != 4) {
    snprintf(decoder->message, sizeof decoder->message, "unexpected size or color space");
    jpeg_abort_decompress(info);
    return CJPEG_CORRUPT;
  }
  bool mixes_inks = info->out_color_space == JCS_CMYK && !decoder->keeps_inks;
  if (area) {
    read_area(decoder, area, rgba, mixes_inks);
  } else {
    read_rows(decoder, rgba, mixes_inks);
  }
  result->width = (uint32_t)width;
  result->height = (uint32_t)height;
  result->damaged = decoder->damaged;
  result->visible_rows = decoder->damaged ? decoder->visible_rows : info->output_height;
  // Data after the last row is irrelevant; in a progressive file decoded from its means that is most of the file.
  jpeg_abort_decompress(info);
  return CJPEG_OK;
}

cjpeg_status cjpeg_decode(cjpeg_decoder *decoder, int eighths, const cjpeg_area *area, uint8_t *rgba,
                          size_t capacity, cjpeg_cancelled cancelled, const void *context,
                          cjpeg_result *result) {
  cjpeg_status status = decode(decoder, eighths, area, rgba, capacity, cancelled, context, true, result);
  if (!cjpeg_take_thinning_failure(decoder)) return status;
  if (cancelled && cancelled(context)) return CJPEG_CANCELLED;
  // From the start: libjpeg cannot rewind.
  bool keeps_inks = decoder->keeps_inks;
  cjpeg_info info;
  status = cjpeg_read_header_of_stream(decoder, decoder->stream.read, decoder->stream.context, &info);
  if (status != CJPEG_OK) return status;
  decoder->keeps_inks = keeps_inks;
  return decode(decoder, eighths, area, rgba, capacity, cancelled, context, false, result);
}
