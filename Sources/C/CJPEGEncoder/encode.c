#include "include/cjpeg_encode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

// The output. This object owns the buffer at every moment, whatever happens: libjpeg's own memory destination
// reveals only at the end which buffer it holds.
typedef struct {
  struct jpeg_destination_mgr manager;
  unsigned char *bytes;
  size_t capacity;
} growing_output;

typedef struct {
  struct jpeg_error_mgr errors;
  jmp_buf escape;
  // Not a local variable, whose value would be lost after longjmp.
  growing_output out;
} guarded_errors;

static void fail(j_common_ptr info) { longjmp(((guarded_errors *)info->err)->escape, 1); }
static void silent(j_common_ptr info) { (void)info; }

// Doubles the buffer.
static void grow(j_compress_ptr info) {
  growing_output *out = &((guarded_errors *)info->err)->out;
  size_t used = out->capacity;
  size_t capacity = used ? 2 * used : 32 << 10;
  unsigned char *bytes = realloc(out->bytes, capacity);
  if (!bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
  out->bytes = bytes;
  out->capacity = capacity;
  out->manager.next_output_byte = bytes + used;
  out->manager.free_in_buffer = capacity - used;
}

// libjpeg calls it when the buffer is full to the last byte.
static boolean output_is_full(j_compress_ptr info) {
  grow(info);
  return TRUE;
}

static void output_is_done(j_compress_ptr info) { (void)info; }

bool cjpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, int across, int down,
                          bool progressive, const uint8_t *app1, size_t app1_length, uint8_t **jpeg, size_t *length) {
  struct jpeg_compress_struct info = {0};
  guarded_errors guard = {0};
  info.err = jpeg_std_error(&guard.errors);
  guard.errors.error_exit = fail;
  guard.errors.output_message = silent;
  if (setjmp(guard.escape)) {
    jpeg_destroy_compress(&info);
    free(guard.out.bytes);
    return false;
  }
  jpeg_create_compress(&info);
  guard.out.manager.init_destination = grow;
  guard.out.manager.empty_output_buffer = output_is_full;
  guard.out.manager.term_destination = output_is_done;
  info.dest = &guard.out.manager;
  info.image_width = width;
  info.image_height = height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.comp_info[0].h_samp_factor = across;
  info.comp_info[0].v_samp_factor = down;
  if (progressive) jpeg_simple_progression(&info);
  // EXIF requires its segment to be first, and so does JFIF: by the letter of both standards they exclude each
  // other.
  if (app1_length) info.write_JFIF_header = FALSE;
  jpeg_start_compress(&info, TRUE);
  if (app1_length) jpeg_write_marker(&info, JPEG_APP0 + 1, app1, (unsigned)app1_length);
  while (info.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(rgba + (size_t)info.next_scanline * width * 4);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  *jpeg = guard.out.bytes;
  *length = guard.out.capacity - guard.out.manager.free_in_buffer;
  return true;
}
