#include "include/chevc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>
#include <libswscale/swscale.h>

// Size in bytes from which a coded picture gains from a second thread. The tiles of a grid are smaller, and libheif
// decodes several of them at once.
enum { SHARED_BYTES = 300 << 10 };

// Upper bound of a picture's pixels; tpick's own limit is lower and checked earlier.
enum { MOST_PIXELS = 1 << 30 };

// Read by threads that decode tiles; these start after the order is written and end before the next one.
static chevc_order current = {.matrix = -1};

static atomic_bool was_mended;

void chevc_begin(chevc_order order) {
  current = order;
  atomic_store(&was_mended, false);
}

bool chevc_was_mended(void) { return atomic_load(&was_mended); }

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  uintptr_t mark; // libheif's identifier of the picture
  bool is_decoded;
} coded_picture;

static const struct heif_error fine = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
static const struct heif_error no_memory = {heif_error_Memory_allocation_error, heif_suberror_Unspecified,
                                            "out of memory"};
static const struct heif_error damaged = {heif_error_Decoder_plugin_error, heif_suberror_Unspecified,
                                          "a damaged picture"};
static const struct heif_error unusual = {heif_error_Decoder_plugin_error, heif_suberror_Unsupported_color_conversion,
                                          "an unusual kind of picture"};

static const char *name(void) { return "libavcodec"; }

static int supports(enum heif_compression_format format) {
  // Higher than the 100 of libheif's own decoders.
  return format == heif_compression_HEVC ? 200 : 0;
}

static struct heif_error start(void **decoder) {
  *decoder = calloc(1, sizeof(coded_picture));
  return *decoder ? fine : no_memory;
}

static void stop(void *decoder) {
  coded_picture *picture = decoder;
  if (!picture) return;
  free(picture->bytes);
  free(picture);
}

// Converts units with 32-bit lengths (ISO/IEC 14496-15) to units with start codes (ITU-T H.265, annex B).
static struct heif_error push(void *decoder, const void *data, size_t size) {
  coded_picture *picture = decoder;
  if (size > SIZE_MAX / 4 - picture->count) return no_memory;
  size_t needed = picture->count + size + AV_INPUT_BUFFER_PADDING_SIZE;
  if (needed > picture->capacity) {
    uint8_t *larger = realloc(picture->bytes, needed * 2);
    if (!larger) return no_memory;
    picture->bytes = larger;
    picture->capacity = needed * 2;
  }
  const uint8_t *from = data;
  while (size >= 4) {
    size_t length = (size_t)from[0] << 24 | (size_t)from[1] << 16 | (size_t)from[2] << 8 | from[3];
    from += 4, size -= 4;
    if (length > size) return damaged;
    static const uint8_t start_code[4] = {0, 0, 0, 1};
    memcpy(picture->bytes + picture->count, start_code, 4);
    memcpy(picture->bytes + picture->count + 4, from, length);
    picture->count += 4 + length;
    from += length, size -= length;
  }
  return fine;
}

static struct heif_error copy_planes(const AVFrame *frame, struct heif_image *image, bool is_grey, int bits) {
  static const enum heif_channel channels[3] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get(frame->format);
  for (int plane = 0; plane < (is_grey ? 1 : 3); plane++) {
    int across = plane ? layout->log2_chroma_w : 0, down = plane ? layout->log2_chroma_h : 0;
    int width = AV_CEIL_RSHIFT(frame->width, across), height = AV_CEIL_RSHIFT(frame->height, down);
    struct heif_error failure = heif_image_add_plane(image, channels[plane], width, height, bits);
    if (failure.code != heif_error_Ok) return failure;
    int stride = 0;
    uint8_t *to = heif_image_get_plane(image, channels[plane], &stride);
    if (!to) return no_memory;
    size_t row = (size_t)width * (bits > 8 ? 2 : 1);
    for (int y = 0; y < height; y++) {
      memcpy(to + (size_t)y * stride, frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane], row);
    }
  }
  return fine;
}

static void set_coding(const AVFrame *frame, struct heif_image *image) {
  struct heif_color_profile_nclx *coding = heif_nclx_color_profile_alloc();
  if (!coding) return;
  bool known = heif_nclx_color_profile_set_color_primaries(coding, (uint16_t)frame->color_primaries).code ==
                   heif_error_Ok &&
               heif_nclx_color_profile_set_transfer_characteristics(coding, (uint16_t)frame->color_trc).code ==
                   heif_error_Ok &&
               heif_nclx_color_profile_set_matrix_coefficients(coding, (uint16_t)frame->colorspace).code ==
                   heif_error_Ok;
  coding->full_range_flag = frame->color_range == AVCOL_RANGE_JPEG;
  if (known) heif_image_set_nclx_color_profile(image, coding);
  heif_nclx_color_profile_free(coding);
}

// Maps the code point of a matrix to libswscale's constant; -1 if libswscale lacks it. Unspecified means BT.601.
static int table(int matrix) {
  switch (matrix) {
    case 1: return SWS_CS_ITU709;
    case 2:
    case 5:
    case 6: return SWS_CS_ITU601;
    case 9: return SWS_CS_BT2020;
    default: return -1;
  }
}

// Converts to planes of red, green and blue with the frame's bit depth. `converted` reports whether libswscale
// supports the conversion.
static struct heif_error make_rgb(const AVFrame *frame, int bits, struct heif_image **out, bool *converted) {
  static const enum heif_channel channels[3] = {heif_channel_G, heif_channel_B, heif_channel_R};
  *converted = false;
  int matrix = table(current.matrix >= 0 ? current.matrix : (int)frame->colorspace);
  bool is_full = current.matrix >= 0 ? current.is_full : frame->color_range == AVCOL_RANGE_JPEG;
  enum AVPixelFormat format = bits == 8    ? AV_PIX_FMT_GBRP
                              : bits == 10 ? AV_PIX_FMT_GBRP10LE
                              : bits == 12 ? AV_PIX_FMT_GBRP12LE
                                           : AV_PIX_FMT_NONE;
  if (matrix < 0 || format == AV_PIX_FMT_NONE) return fine;
  struct SwsContext *converter =
      sws_getContext(frame->width, frame->height, (enum AVPixelFormat)frame->format, frame->width, frame->height,
                     format, SWS_BILINEAR | SWS_FULL_CHR_H_INT | SWS_ACCURATE_RND, NULL, NULL, NULL);
  if (!converter) return fine;
  const int *coefficients = sws_getCoefficients(matrix);
  sws_setColorspaceDetails(converter, coefficients, is_full, coefficients, 1, 0, 1 << 16, 1 << 16);
  struct heif_image *image = NULL;
  struct heif_error failure = heif_image_create(frame->width, frame->height, heif_colorspace_RGB, heif_chroma_444,
                                                &image);
  uint8_t *planes[4] = {NULL};
  int strides[4] = {0};
  for (int i = 0; failure.code == heif_error_Ok && i < 3; i++) {
    failure = heif_image_add_plane(image, channels[i], frame->width, frame->height, bits);
    if (failure.code != heif_error_Ok) break;
    planes[i] = heif_image_get_plane(image, channels[i], &strides[i]);
    if (!planes[i]) failure = no_memory;
  }
  if (failure.code == heif_error_Ok) {
    int rows = sws_scale(converter, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                         strides);
    *converted = rows == frame->height;
  }
  sws_freeContext(converter);
  if (*converted) {
    *out = image;
  } else if (image) {
    heif_image_release(image);
  }
  return failure;
}

static enum heif_chroma chroma_of(const AVPixFmtDescriptor *layout) {
  if (layout->nb_components == 1) return heif_chroma_monochrome;
  if (layout->nb_components != 3 || !(layout->flags & AV_PIX_FMT_FLAG_PLANAR)) return heif_chroma_undefined;
  switch (layout->log2_chroma_w * 2 + layout->log2_chroma_h) {
    case 3: return heif_chroma_420;
    case 2: return heif_chroma_422;
    case 0: return heif_chroma_444;
    default: return heif_chroma_undefined;
  }
}

static struct heif_error convert(const AVFrame *frame, struct heif_image **out) {
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get(frame->format);
  if (!layout || layout->flags & (AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_HWACCEL)) return unusual;
  enum heif_chroma chroma = chroma_of(layout);
  if (chroma == heif_chroma_undefined) return unusual;
  bool is_grey = chroma == heif_chroma_monochrome;
  if (current.is_rgb && !is_grey) {
    bool converted = false;
    struct heif_error failure = make_rgb(frame, layout->comp[0].depth, out, &converted);
    if (converted || failure.code != heif_error_Ok) return failure;
  }
  struct heif_image *image = NULL;
  struct heif_error failure =
      heif_image_create(frame->width, frame->height, is_grey ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
                        chroma, &image);
  if (failure.code != heif_error_Ok) return failure;
  failure = copy_planes(frame, image, is_grey, layout->comp[0].depth);
  if (failure.code != heif_error_Ok) {
    heif_image_release(image);
    return failure;
  }
  set_coding(frame, image);
  *out = image;
  return fine;
}

static struct heif_error run(AVCodecContext *codec, AVPacket *packet, AVFrame *frame, const coded_picture *picture,
                             struct heif_image **out) {
  packet->data = picture->bytes;
  packet->size = (int)picture->count;
  memset(picture->bytes + picture->count, 0, AV_INPUT_BUFFER_PADDING_SIZE);
  if (avcodec_send_packet(codec, packet) < 0 || avcodec_send_packet(codec, NULL) < 0 ||
      avcodec_receive_frame(codec, frame) < 0) {
    return damaged;
  }
  if (frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT) atomic_store(&was_mended, true);
  return convert(frame, out);
}

static struct heif_error decode(void *decoder, struct heif_image **out) {
  coded_picture *picture = decoder;
  if (!picture->count || picture->count > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return damaged;
  AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_HEVC));
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  struct heif_error result = no_memory;
  if (codec && packet && frame) {
    codec->max_pixels = MOST_PIXELS;
    codec->thread_count = picture->count >= SHARED_BYTES ? 2 : 1;
    codec->thread_type = FF_THREAD_SLICE;
    result = avcodec_open2(codec, NULL, NULL) < 0 ? damaged : run(codec, packet, frame, picture, out);
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&codec);
  return result;
}

static void be_strict(void *decoder, int flag) { (void)decoder, (void)flag; }

// From 1.21 on, libheif accepts only decoders of sequences. A picture is a sequence of one.
#if LIBHEIF_NUMERIC_VERSION >= (1 << 24 | 21 << 16)
enum { PLUGIN_VERSION = 5 };

static int supports_description(const struct heif_decoder_plugin_compressed_format_description *description) {
  return supports(description->format);
}

static struct heif_error start_with_options(void **decoder, const struct heif_decoder_plugin_options *options) {
  (void)options;
  return start(decoder);
}

static struct heif_error push_marked(void *decoder, const void *data, size_t size, uintptr_t mark) {
  ((coded_picture *)decoder)->mark = mark;
  return push(decoder, data, size);
}

static struct heif_error flush(void *decoder) {
  (void)decoder;
  return fine;
}

static struct heif_error decode_next(void *decoder, struct heif_image **out, uintptr_t *mark,
                                     const struct heif_security_limits *limits) {
  (void)limits;
  coded_picture *picture = decoder;
  *out = NULL;
  if (picture->is_decoded) return fine;
  picture->is_decoded = true;
  if (mark) *mark = picture->mark;
  return decode(decoder, out);
}
#else
enum { PLUGIN_VERSION = 3 };
#endif

bool chevc_register(void) {
  static const struct heif_decoder_plugin plugin = {.plugin_api_version = PLUGIN_VERSION,
                                                    .get_plugin_name = name,
                                                    .does_support_format = supports,
                                                    .new_decoder = start,
                                                    .free_decoder = stop,
                                                    .push_data = push,
                                                    .decode_image = decode,
                                                    .set_strict_decoding = be_strict,
#if LIBHEIF_NUMERIC_VERSION >= (1 << 24 | 21 << 16)
                                                    .minimum_required_libheif_version = 1 << 24 | 21 << 16,
                                                    .does_support_format2 = supports_description,
                                                    .new_decoder2 = start_with_options,
                                                    .push_data2 = push_marked,
                                                    .flush_data = flush,
                                                    .decode_next_image2 = decode_next,
#endif
                                                    .id_name = "libavcodec"};
  return avcodec_find_decoder(AV_CODEC_ID_HEVC) && heif_register_decoder_plugin(&plugin).code == heif_error_Ok;
}
