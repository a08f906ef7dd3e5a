// Parts of libavformat that Swift cannot import: error codes made by macros, and callbacks that always refuse.

#ifndef TPICK_CAVFORMAT_H
#define TPICK_CAVFORMAT_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <libavcodec/avcodec.h>
#include <libavcodec/packet.h>
#include <libavcodec/version.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libswscale/swscale.h>

static inline int tpick_av_end_of_file(void) { return AVERROR_EOF; }
static inline int tpick_av_input_error(void) { return AVERROR(EIO); }

static inline int tpick_av_refuse(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                                  AVDictionary **options) {
  (void)context, (void)io, (void)url, (void)flags, (void)options;
  return AVERROR(EACCES);
}

// A file may refer to others: they are never opened.
static inline void tpick_av_refuse_references(AVFormatContext *context) { context->io_open = tpick_av_refuse; }

// Whether a stream is an attached picture, such as an album cover.
static inline int tpick_av_is_cover(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

// Side data of a stream with at least `least` bytes; NULL if there is none.
static inline const uint8_t *tpick_av_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t least) {
  size_t size = 0;
  const uint8_t *data = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  const AVPacketSideData *found = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                          stream->codecpar->nb_coded_side_data, type);
  if (found) {
    data = found->data;
    size = found->size;
  }
#else
  data = av_stream_get_side_data(stream, type, &size);
#endif
  return size >= least ? data : NULL;
}

// The display matrix, nine numbers; NULL if there is none.
static inline const int32_t *tpick_av_matrix(const AVStream *stream) {
  return (const int32_t *)tpick_av_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
}

static inline bool tpick_av_is_dolby_vision(const AVStream *stream) {
  return tpick_av_side_data(stream, AV_PKT_DATA_DOVI_CONF, 1) != NULL;
}

// Whether a SEI NAL unit of HEVC has the message 137, a mastering display (ITU-T H.265, 7.3.5 and D.2.28).
static inline bool tpick_av_describes_mastering(const uint8_t *unit, size_t size) {
  // After the header of two bytes.
  size_t at = 2;
  while (at < size) {
    size_t fields[2] = {0, 0};  // type and size
    for (int field = 0; field < 2; field++) {
      while (at < size && unit[at] == 0xFF) fields[field] += unit[at++];
      if (at == size) return false;
      fields[field] += unit[at++];
    }
    if (fields[1] > size - at) return false;
    if (fields[0] == 137) return true;
    at += fields[1];
  }
  return false;
}

// Whether the decoder configuration of HEVC describes the mastering display (ISO/IEC 14496-15, 8.3.3.1): encoders
// such as x265 write it there, and not all containers have it besides.
static inline bool tpick_av_configuration_describes_mastering(const AVCodecParameters *parameters) {
  const uint8_t *data = parameters->extradata;
  size_t size = data && parameters->extradata_size > 0 ? (size_t)parameters->extradata_size : 0;
  if (parameters->codec_id != AV_CODEC_ID_HEVC || size < 23 || data[0] != 1) return false;
  size_t at = 23;
  for (int array = 0; array < data[22]; array++) {
    if (size - at < 3) return false;
    int type = data[at] & 0x3F, count = data[at + 1] << 8 | data[at + 2];
    at += 3;
    for (int index = 0; index < count; index++) {
      if (size - at < 2) return false;
      size_t length = (size_t)(data[at] << 8 | data[at + 1]);
      at += 2;
      if (length > size - at) return false;
      if (type == 39 && tpick_av_describes_mastering(data + at, length)) return true;
      at += length;
    }
  }
  return false;
}

static inline bool tpick_av_has_mastering_display(const AVStream *stream) {
  return tpick_av_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, 1) != NULL ||
         tpick_av_configuration_describes_mastering(stream->codecpar);
}

// The profile in the decoder configuration of a video, whose sources are: avcC (ISO/IEC 14496-15, 5.3.3.1), hvcC
// (8.3.3.1), av1C (AV1 in ISOBMFF, 2.3.3), the four-character codes of ProRes. The demuxer does not read them.
static inline const char *tpick_av_profile(const AVCodecParameters *parameters) {
  int profile = parameters->profile;
  const uint8_t *data = parameters->extradata;
  bool has_record = profile < 0 && parameters->extradata_size >= 4 && data;
  switch (parameters->codec_id) {
    case AV_CODEC_ID_H264:
      // The first constraint flags distinguish the constrained profiles, as libavcodec does.
      if (has_record && data[0] == 1) {
        profile = data[1];
        if (profile == 66 && (data[2] & 0x40)) profile |= 1 << 9;
        if ((profile == 110 || profile == 122 || profile == 244) && (data[2] & 0x10)) profile |= 1 << 11;
      }
      break;
    case AV_CODEC_ID_HEVC:
      if (has_record && data[0] == 1) profile = data[1] & 0x1F;
      break;
    case AV_CODEC_ID_AV1:
      if (has_record && data[0] == 0x81) profile = data[1] >> 5;
      break;
    case AV_CODEC_ID_PRORES:
      switch (parameters->codec_tag) {
        case MKTAG('a', 'p', 'c', 'o'): profile = 0; break;
        case MKTAG('a', 'p', 'c', 's'): profile = 1; break;
        case MKTAG('a', 'p', 'c', 'n'): profile = 2; break;
        case MKTAG('a', 'p', 'c', 'h'): profile = 3; break;
        case MKTAG('a', 'p', '4', 'h'): profile = 4; break;
        case MKTAG('a', 'p', '4', 'x'): profile = 5; break;
        default: break;
      }
      break;
    default: break;
  }
  return profile < 0 ? NULL : avcodec_profile_name(parameters->codec_id, profile);
}

// The number of channels of an audio stream.
static inline int tpick_av_channels(const AVCodecParameters *parameters) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 28, 100)
  return parameters->ch_layout.nb_channels;
#else
  return parameters->channels;
#endif
}

// The rotation of the display matrix in degrees; 0 if there is none.
static inline double tpick_av_rotation(const AVStream *stream) {
  const int32_t *matrix = tpick_av_matrix(stream);
  return matrix ? av_display_rotation_get(matrix) : 0;
}

// The display matrix as EXIF orientation, 1 to 8. It maps (x, y) to (a x + c y, b x + d y); its first numbers are
// a, b, 0, c, d, 0 (QuickTime File Format, "Matrices").
static inline int tpick_av_orientation(const AVStream *stream) {
  const int32_t *matrix = tpick_av_matrix(stream);
  if (!matrix) return 1;
  int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (llabs(b) + llabs(c) > llabs(a) + llabs(d)) return b > 0 ? (c > 0 ? 5 : 6) : (c > 0 ? 8 : 7);
  return a < 0 ? (d < 0 ? 3 : 2) : (d < 0 ? 4 : 1);
}

// Duration of a frame in its stream's units; 0 if unknown.
static inline int64_t tpick_av_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

static inline int64_t tpick_av_no_time(void) { return AV_NOPTS_VALUE; }

// Creates a converter from a frame to 24-bit RGB in a size, with the frame's own matrix and range. An unspecified
// matrix follows from the size, as players assume (ITU-R BT.709 from high definition on).
static inline struct SwsContext *tpick_av_converter(const AVFrame *frame, int width, int height) {
  bool same = frame->width == width && frame->height == height;
  struct SwsContext *converter =
      sws_getContext(frame->width, frame->height, (enum AVPixelFormat)frame->format, width, height, AV_PIX_FMT_RGB24,
                     (same ? SWS_BILINEAR : SWS_AREA) | SWS_FULL_CHR_H_INT | SWS_ACCURATE_RND, NULL, NULL, NULL);
  if (!converter) return NULL;
  int matrix = frame->colorspace == AVCOL_SPC_BT2020_NCL || frame->colorspace == AVCOL_SPC_BT2020_CL ? SWS_CS_BT2020
               : frame->colorspace == AVCOL_SPC_BT709                                             ? SWS_CS_ITU709
               : frame->colorspace == AVCOL_SPC_UNSPECIFIED && frame->height >= 720              ? SWS_CS_ITU709
               : frame->colorspace == AVCOL_SPC_SMPTE240M ? SWS_CS_SMPTE240M
               : frame->colorspace == AVCOL_SPC_FCC       ? SWS_CS_FCC
                                                          : SWS_CS_DEFAULT;
  int *source_table, *table, source_range, range, brightness, contrast, saturation;
  if (sws_getColorspaceDetails(converter, &source_table, &source_range, &table, &range, &brightness, &contrast,
                               &saturation) >= 0) {
    // Formats whose name implies full range have already set it in the converter.
    if (frame->color_range == AVCOL_RANGE_JPEG) source_range = 1;
    sws_setColorspaceDetails(converter, sws_getCoefficients(matrix), source_range, table, 1, 0, 1 << 16, 1 << 16);
  }
  return converter;
}

// Converts a whole frame into rows `stride` bytes apart; returns the number of rows.
static inline int tpick_av_convert(struct SwsContext *converter, const AVFrame *frame, uint8_t *rows, int stride) {
  uint8_t *planes[4] = {rows, NULL, NULL, NULL};
  int strides[4] = {stride, 0, 0, 0};
  return sws_scale(converter, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}

static inline const AVDictionaryEntry *tpick_av_next_tag(const AVDictionary *tags,
                                                         const AVDictionaryEntry *previous) {
  return av_dict_get(tags, "", previous, AV_DICT_IGNORE_SUFFIX);
}

#endif
