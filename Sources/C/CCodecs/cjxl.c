#include "include/cjxl.h"

#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

// Larger profiles are rejected.
enum { LARGEST_PROFILE = 16 << 20 };

// More threads gain little, and two decoders may run at once.
enum { THREADS = 2 };

// Pictures with fewer pixels are decoded on one thread.
enum { SHARED_PIXELS = 1 << 20 };

// Before 0.9, libjxl needs the pixel format for questions about colors.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define OF_FORMAT(file)
#else
#define OF_FORMAT(file) &(file)->format,
#endif

struct cjxl {
  JxlDecoder *decoder;
  void *runner;
  const void *bytes;
  size_t count;
  JxlBasicInfo basic;
  JxlPixelFormat format;
  uint8_t *profile;
  size_t profile_length;
  int primaries;
  int transfer;
};

// Rewinds the decoder and subscribes to `events`.
static bool begin(cjxl *file, int events) {
  JxlDecoderReset(file->decoder);
  if (file->runner &&
      JxlDecoderSetParallelRunner(file->decoder, JxlThreadParallelRunner, file->runner) != JXL_DEC_SUCCESS) {
    return false;
  }
  if (JxlDecoderSubscribeEvents(file->decoder, events) != JXL_DEC_SUCCESS ||
      JxlDecoderSetInput(file->decoder, file->bytes, file->count) != JXL_DEC_SUCCESS) {
    return false;
  }
  JxlDecoderCloseInput(file->decoder);
  return true;
}

cjxl *cjxl_open(const void *bytes, size_t count, cjxl_info *info, const char **reason) {
  *reason = "out of memory";
  cjxl *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->bytes = bytes;
  file->count = count;
  file->decoder = JxlDecoderCreate(NULL);
  if (!file->decoder) {
    free(file);
    return NULL;
  }
  *reason = "a damaged JPEG XL file";
  if (!begin(file, JXL_DEC_BASIC_INFO) || JxlDecoderProcessInput(file->decoder) != JXL_DEC_BASIC_INFO ||
      JxlDecoderGetBasicInfo(file->decoder, &file->basic) != JXL_DEC_SUCCESS || !file->basic.xsize ||
      !file->basic.ysize) {
    cjxl_close(file);
    return NULL;
  }
  // libjxl applies the orientation and reports the oriented size, but not for the preview.
  const JxlBasicInfo *basic = &file->basic;
  bool turned = basic->orientation >= JXL_ORIENT_TRANSPOSE;
  info->width = basic->xsize;
  info->height = basic->ysize;
  info->preview_width = !basic->have_preview ? 0 : turned ? basic->preview.ysize : basic->preview.xsize;
  info->preview_height = !basic->have_preview ? 0 : turned ? basic->preview.xsize : basic->preview.ysize;
  info->colours = basic->num_color_channels == 1 ? 1 : 3;
  info->extras = basic->alpha_bits > 0;
  info->is_premultiplied = basic->alpha_bits > 0 && basic->alpha_premultiplied;
  info->is_wide = basic->bits_per_sample > 8;
  info->is_animated = basic->have_animation;
  info->plays = basic->have_animation ? basic->animation.num_loops : 1;
  file->format = (JxlPixelFormat){.num_channels = (uint32_t)(info->colours + info->extras),
                                  .data_type = info->is_wide ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                                  .endianness = JXL_NATIVE_ENDIAN,
                                  .align = 0};
  if ((uint64_t)info->width * info->height >= SHARED_PIXELS) {
    file->runner = JxlThreadParallelRunnerCreate(NULL, THREADS);
  }
  return file;
}

void cjxl_close(cjxl *file) {
  if (!file) return;
  JxlDecoderDestroy(file->decoder);
  if (file->runner) JxlThreadParallelRunnerDestroy(file->runner);
  free(file->profile);
  free(file);
}

// Requests sRGB if the file leaves the choice, and reads the color encoding of the decoded pixels.
static void settle_colours(cjxl *file) {
  JxlColorEncoding original;
  bool is_bright = JxlDecoderGetColorAsEncodedProfile(file->decoder, OF_FORMAT(file) JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                                      &original) == JXL_DEC_SUCCESS &&
                   (original.transfer_function == JXL_TRANSFER_FUNCTION_PQ ||
                    original.transfer_function == JXL_TRANSFER_FUNCTION_HLG);
  if (!is_bright) {
    JxlColorEncoding srgb;
    JxlColorEncodingSetToSRGB(&srgb, file->basic.num_color_channels == 1);
    JxlDecoderSetPreferredColorProfile(file->decoder, &srgb);
  }
  JxlColorEncoding encoding;
  bool is_encoded = JxlDecoderGetColorAsEncodedProfile(file->decoder, OF_FORMAT(file) JXL_COLOR_PROFILE_TARGET_DATA,
                                                       &encoding) == JXL_DEC_SUCCESS;
  if (is_encoded && is_bright && encoding.color_space == JXL_COLOR_SPACE_RGB) {
    file->transfer = (int)encoding.transfer_function;
    file->primaries = encoding.primaries == JXL_PRIMARIES_CUSTOM ? 9 : (int)encoding.primaries;
    return;
  }
  if (is_encoded && encoding.transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
      (encoding.color_space == JXL_COLOR_SPACE_GRAY || encoding.primaries == JXL_PRIMARIES_SRGB)) {
    return;
  }
  size_t length = 0;
  if (JxlDecoderGetICCProfileSize(file->decoder, OF_FORMAT(file) JXL_COLOR_PROFILE_TARGET_DATA, &length) !=
          JXL_DEC_SUCCESS ||
      !length || length > LARGEST_PROFILE) {
    return;
  }
  uint8_t *profile = malloc(length);
  if (!profile) return;
  if (JxlDecoderGetColorAsICCProfile(file->decoder, OF_FORMAT(file) JXL_COLOR_PROFILE_TARGET_DATA, profile, length) !=
      JXL_DEC_SUCCESS) {
    free(profile);
    return;
  }
  free(file->profile);
  file->profile = profile;
  file->profile_length = length;
}

// Sets the output buffer; false unless the decoder needs exactly `size` bytes.
static bool give_pixels(cjxl *file, void *pixels, size_t size) {
  size_t needed = 0;
  return JxlDecoderImageOutBufferSize(file->decoder, &file->format, &needed) == JXL_DEC_SUCCESS &&
         needed == size &&
         JxlDecoderSetImageOutBuffer(file->decoder, &file->format, pixels, size) == JXL_DEC_SUCCESS;
}

// Starts to decode pictures and keeps premultiplied alpha.
static bool begin_pictures(cjxl *file, int events) {
  if (!begin(file, JXL_DEC_COLOR_ENCODING | events)) return false;
  if (file->basic.alpha_bits > 0) (void)JxlDecoderSetUnpremultiplyAlpha(file->decoder, JXL_FALSE);
  return true;
}

static cjxl_status run(cjxl *file, bool preview, void *pixels, size_t size) {
  while (true) {
    switch (JxlDecoderProcessInput(file->decoder)) {
      case JXL_DEC_COLOR_ENCODING: settle_colours(file); break;
      case JXL_DEC_NEED_PREVIEW_OUT_BUFFER: {
        size_t needed = 0;
        if (JxlDecoderPreviewOutBufferSize(file->decoder, &file->format, &needed) != JXL_DEC_SUCCESS ||
            needed > size ||
            JxlDecoderSetPreviewOutBuffer(file->decoder, &file->format, pixels, size) != JXL_DEC_SUCCESS) {
          return CJXL_DAMAGED;
        }
        break;
      }
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        if (!give_pixels(file, pixels, size)) return CJXL_DAMAGED;
        break;
      case JXL_DEC_PREVIEW_IMAGE:
        if (preview) return CJXL_OK;
        break;
      case JXL_DEC_FULL_IMAGE: return preview ? CJXL_DAMAGED : CJXL_OK;
      case JXL_DEC_NEED_MORE_INPUT:
      case JXL_DEC_ERROR:
        // A truncated file is reported as an error too, because its input is closed.
        return !preview && JxlDecoderFlushImage(file->decoder) == JXL_DEC_SUCCESS ? CJXL_INCOMPLETE : CJXL_DAMAGED;
      case JXL_DEC_SUCCESS: return CJXL_DAMAGED;
      default: break;
    }
  }
}

cjxl_status cjxl_decode(cjxl *file, bool preview, void *pixels, size_t size) {
  // The DC image (means of 8×8 blocks) arrives early, but libjxl 0.7 can only return it upsampled to the full size,
  // which takes longer than to decode the rest.
  if (!begin_pictures(file, preview ? JXL_DEC_PREVIEW_IMAGE : JXL_DEC_FULL_IMAGE)) return CJXL_DAMAGED;
  return run(file, preview, pixels, size);
}

bool cjxl_begin_frames(cjxl *file) {
  return begin_pictures(file, JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE);
}

cjxl_status cjxl_next_frame(cjxl *file, void *pixels, size_t size, double *seconds) {
  *seconds = 0;
  while (true) {
    switch (JxlDecoderProcessInput(file->decoder)) {
      case JXL_DEC_COLOR_ENCODING: settle_colours(file); break;
      case JXL_DEC_FRAME: {
        JxlFrameHeader header;
        const JxlAnimationHeader *animation = &file->basic.animation;
        if (JxlDecoderGetFrameHeader(file->decoder, &header) != JXL_DEC_SUCCESS) return CJXL_DAMAGED;
        if (animation->tps_numerator) {
          *seconds = (double)header.duration * animation->tps_denominator / animation->tps_numerator;
        }
        break;
      }
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        if (!give_pixels(file, pixels, size)) return CJXL_DAMAGED;
        break;
      case JXL_DEC_FULL_IMAGE: return CJXL_OK;
      case JXL_DEC_SUCCESS: return CJXL_INCOMPLETE;
      case JXL_DEC_NEED_MORE_INPUT:
      case JXL_DEC_ERROR: return CJXL_DAMAGED;
      default: break;
    }
  }
}

cjxl_colours cjxl_meaning(const cjxl *file) {
  return (cjxl_colours){file->primaries, file->transfer, file->profile, file->profile_length};
}
