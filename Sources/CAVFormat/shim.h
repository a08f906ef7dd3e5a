// What of libavformat Swift cannot import by itself: error codes made by macros, and callbacks that only
// ever refuse.

#ifndef TPICK_CAVFORMAT_H
#define TPICK_CAVFORMAT_H

#include <errno.h>
#include <libavcodec/packet.h>
#include <libavcodec/version.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>

static inline int tpick_av_end_of_file(void) { return AVERROR_EOF; }
static inline int tpick_av_input_error(void) { return AVERROR(EIO); }

static inline int tpick_av_refuse(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                                  AVDictionary **options) {
  (void)context, (void)io, (void)url, (void)flags, (void)options;
  return AVERROR(EACCES);
}

// A file may name others: they are never opened.
static inline void tpick_av_refuse_references(AVFormatContext *context) { context->io_open = tpick_av_refuse; }

// Whether a stream is a picture that comes along, as an album's cover.
static inline int tpick_av_is_cover(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

// Quarter turns are told by the display matrix; the angle in degrees, 0 where there is none.
static inline double tpick_av_rotation(const AVStream *stream) {
  size_t size = 0;
  const uint8_t *matrix = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  const AVPacketSideData *found =
      av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
                              AV_PKT_DATA_DISPLAYMATRIX);
  if (found) {
    matrix = found->data;
    size = found->size;
  }
#else
  matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
  return matrix && size >= 9 * sizeof(int32_t) ? av_display_rotation_get((const int32_t *)matrix) : 0;
}

static inline const AVDictionaryEntry *tpick_av_next_tag(const AVDictionary *tags,
                                                         const AVDictionaryEntry *previous) {
  return av_dict_get(tags, "", previous, AV_DICT_IGNORE_SUFFIX);
}

#endif
