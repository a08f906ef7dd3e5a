#include "cjpeg_decoder.h"

#include <jerror.h>

enum { BUFFER_SIZE = 1 << 16 };

// Upper bound of the bytes read in the search for the first scan. Most segments are skipped unread: an ICC profile
// takes 16 MiB at most, and everything else kept from a header less.
enum { LONGEST_HEADER = 64 << 20 };

static cjpeg_stream *stream_of(j_decompress_ptr info) { return &((cjpeg_decoder *)info->client_data)->stream; }

static void start(j_decompress_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info) {
  static const JOCTET end[] = {0xFF, JPEG_EOI};
  cjpeg_stream *stream = stream_of(info);
  size_t limit = ((cjpeg_decoder *)info->client_data)->has_header ? SIZE_MAX : LONGEST_HEADER;
  if (stream->taken > limit) {
    cjpeg_decoder *decoder = info->client_data;
    snprintf(decoder->message, sizeof decoder->message, "its header does not end");
    decoder->failure = CJPEG_CORRUPT;
    longjmp(decoder->escape, 1);
  }
  size_t count =
      stream->ended ? 0 : stream->read(stream->context, stream->offset, stream->buffer, BUFFER_SIZE);
  stream->taken += count;
  if (!count && !stream->offset) ERREXIT(info, JERR_INPUT_EMPTY);
  stream->offset += count;
  stream->manager.next_input_byte = stream->buffer;
  stream->manager.bytes_in_buffer = count;
  if (!count) {
    // A truncated file: what is available counts as the whole.
    WARNMS(info, JWRN_JPEG_EOF);
    stream->manager.next_input_byte = end;
    stream->manager.bytes_in_buffer = sizeof end;
  }
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  cjpeg_stream *stream = stream_of(info);
  if (count <= 0) return;
  if ((size_t)count <= stream->manager.bytes_in_buffer) {
    stream->manager.next_input_byte += count;
    stream->manager.bytes_in_buffer -= (size_t)count;
  } else {
    stream->offset += (size_t)count - stream->manager.bytes_in_buffer;
    stream->manager.bytes_in_buffer = 0;
  }
}

static void stop(j_decompress_ptr info) { (void)info; }

bool cjpeg_open_stream(cjpeg_decoder *decoder, cjpeg_read read, const void *context) {
  cjpeg_stream *stream = &decoder->stream;
  if (!stream->buffer) stream->buffer = malloc(BUFFER_SIZE);
  stream->read = read;
  stream->context = context;
  stream->offset = 0;
  stream->taken = 0;
  stream->ended = false;
  stream->manager = (struct jpeg_source_mgr){
      .init_source = start,
      .fill_input_buffer = fill,
      .skip_input_data = skip,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = stop,
  };
  return stream->buffer;
}
