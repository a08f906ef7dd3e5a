#include "include/ctiff.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

struct ctiff {
  TIFF *tiff;
  const ctiff_source *source;
  toff_t position;
  char message[200];
};

// Never returns a negative count: libtiff adds it to its byte count and clears memory from there
// (TIFFReadAndRealloc in tif_read.c), so that -1 would start one byte too early.
static tsize_t read_bytes(thandle_t handle, tdata_t bytes, tsize_t count) {
  ctiff *file = handle;
  if (count < 0) return 0;
  ssize_t got = file->source->read(file->source->context, (int64_t)file->position, bytes, (size_t)count);
  if (got <= 0) return 0;
  file->position += (toff_t)got;
  return got;
}

static tsize_t refuse_to_write(thandle_t handle, tdata_t bytes, tsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int from) {
  ctiff *file = handle;
  toff_t base = from == SEEK_CUR ? file->position : from == SEEK_END ? (toff_t)file->source->size : 0;
  if (base + offset > INT64_MAX) return (toff_t)-1;
  return file->position = base + offset;
}

static int leave_open(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return (toff_t)((ctiff *)handle)->source->size; }

static int keep_message(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  (void)tiff, (void)module;
  ctiff *file = context;
  vsnprintf(file->message, sizeof file->message, format, values);
  return 1;
}

static int ignore(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  (void)tiff, (void)context, (void)module, (void)format, (void)values;
  return 1;
}

ctiff *ctiff_open(const ctiff_source *source, size_t largest, const char **reason) {
  *reason = "out of memory";
  ctiff *file = calloc(1, sizeof *file);
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!file || !options) {
    free(file);
    if (options) TIFFOpenOptionsFree(options);
    return NULL;
  }
  file->source = source;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)largest);
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_message, file);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
  // "m": do not map the file; the bytes come through the callbacks.
  file->tiff = TIFFClientOpenExt("", "rm", file, read_bytes, refuse_to_write, seek, leave_open, size, NULL, NULL,
                                 options);
  TIFFOpenOptionsFree(options);
  if (file->tiff) return file;
  *reason = "a damaged TIFF file";
  free(file);
  return NULL;
}

void ctiff_close(ctiff *file) {
  if (!file) return;
  TIFFClose(file->tiff);
  free(file);
}

const char *ctiff_message(const ctiff *file) { return file->message; }

size_t ctiff_directories(ctiff *file, uint64_t places[CTIFF_DIRECTORIES]) {
  size_t count = 0;
  uint64_t below[CTIFF_DIRECTORIES];
  size_t below_count = 0;
  do {
    places[count++] = TIFFCurrentDirOffset(file->tiff);
    uint16_t listed = 0;
    void *list = NULL;
    if (count == 1 && TIFFGetField(file->tiff, TIFFTAG_SUBIFD, &listed, &list) && list) {
      for (; below_count < listed && below_count < CTIFF_DIRECTORIES / 2; below_count++) {
        below[below_count] = ((const uint64_t *)list)[below_count];
      }
    }
  } while (count < CTIFF_DIRECTORIES / 2 && TIFFReadDirectory(file->tiff));
  memcpy(places + count, below, below_count * sizeof *below);
  return count + below_count;
}

static void set_alpha(TIFF *tiff, ctiff_picture *picture) {
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  // Extra samples not declared as alpha may hold anything, such as a selection saved by an editor.
  if (!count || !kinds || !picture->extras) return;
  picture->is_premultiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
  picture->has_alpha = picture->is_premultiplied || kinds[0] == EXTRASAMPLE_UNASSALPHA;
}

// Layout of a band: the bytes of the tiles or strips side by side in it, for one plane, and of one row of them.
typedef struct {
  bool is_tiled;
  bool is_separate;
  uint32_t rows;
  uint32_t across;
  uint32_t tile_width;
  tmsize_t piece;
} band_layout;

static band_layout lay_out(TIFF *tiff, uint32_t width, uint32_t height) {
  band_layout layout = {.is_tiled = TIFFIsTiled(tiff) != 0, .across = 1, .tile_width = width};
  uint16_t planar = PLANARCONFIG_CONTIG;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
  layout.is_separate = planar == PLANARCONFIG_SEPARATE;
  if (layout.is_tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &layout.tile_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &layout.rows);
    layout.piece = TIFFTileSize(tiff);
    if (layout.tile_width) layout.across = width / layout.tile_width + (width % layout.tile_width != 0);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &layout.rows);
    if (layout.rows > height) layout.rows = height;
    layout.piece = TIFFStripSize(tiff);
  }
  return layout;
}

// Whether samples of a kind can be converted to 16 bits: unsigned integers and floating point.
static bool is_sample(uint16_t bits, uint16_t format) {
  if (format == SAMPLEFORMAT_UINT) return bits == 8 || bits == 16 || bits == 32;
  return format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64);
}

// Pictures whose samples are used as stored or narrowed to 16 bits: grayscale, RGB or inks.
static bool is_plain(TIFF *tiff, ctiff_picture *picture) {
  uint16_t bits = 1, samples = 1, photometric = 0, format = SAMPLEFORMAT_UINT, compression = 1, inks = INKSET_CMYK;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &inks);
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) return false;
  if (!is_sample(bits, format) || samples > 8) return false;
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: picture->colours = 1; break;
    case PHOTOMETRIC_RGB: picture->colours = 3; break;
    case PHOTOMETRIC_SEPARATED:
      if (inks != INKSET_CMYK) return false;
      picture->colours = 4;
      break;
    case PHOTOMETRIC_YCBCR:
      // libjpeg converts it to RGB.
      if (compression != COMPRESSION_JPEG || bits != 8 || samples != 3) return false;
      if (!TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB)) return false;
      picture->colours = 3;
      break;
    default: return false;
  }
  if (samples < picture->colours) return false;
  picture->extras = (uint8_t)(samples - picture->colours);
  picture->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
  picture->is_wide = bits > 8;
  picture->sample_bytes = (uint8_t)(bits / 8);
  set_alpha(tiff, picture);
  return true;
}

// Every other kind that libtiff supports, as libtiff converts it: premultiplied 8-bit RGBA.
static bool is_convertible(ctiff *file, ctiff_picture *picture, const char **reason) {
  char words[1024] = "";
  if (!TIFFRGBAImageOK(file->tiff, words)) {
    snprintf(file->message, sizeof file->message, "%s", words);
    *reason = *words ? file->message : "an unsupported kind of TIFF file";
    return false;
  }
  picture->is_converted = true;
  picture->colours = 3;
  picture->extras = 1;
  picture->has_alpha = picture->is_premultiplied = true;
  picture->band_rows = picture->height;
  picture->row_bytes = (size_t)picture->width * 4;
  picture->band_cost = (uint64_t)picture->row_bytes * picture->height * 2;
  return true;
}

bool ctiff_turn_to(ctiff *file, uint64_t place, ctiff_picture *picture, const char **reason) {
  memset(picture, 0, sizeof *picture);
  *reason = "a damaged TIFF file";
  if (!TIFFSetSubDirectory(file->tiff, place)) return false;
  TIFF *tiff = file->tiff;
  uint32_t kind = 0;
  uint16_t orientation = 0, compression = COMPRESSION_NONE;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &picture->width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &picture->height);
  TIFFGetField(tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  if (!picture->width || !picture->height) return false;
  picture->orientation = orientation <= 8 ? (uint8_t)orientation : 1;
  picture->is_reduced = (kind & FILETYPE_REDUCEDIMAGE) != 0;
  picture->is_mask = (kind & FILETYPE_MASK) != 0;
  if (!TIFFIsCODECConfigured(compression)) {
    *reason = "an unsupported compression";
    return false;
  }
  if (!is_plain(tiff, picture)) return is_convertible(file, picture, reason);
  band_layout layout = lay_out(tiff, picture->width, picture->height);
  uint64_t samples = picture->colours + picture->extras, bytes = picture->sample_bytes;
  uint64_t expected = (uint64_t)layout.tile_width * layout.rows * bytes * (layout.is_separate ? 1 : samples);
  if (!layout.rows || layout.piece <= 0 || (uint64_t)layout.piece != expected) return false;
  picture->band_rows = layout.rows;
  picture->row_bytes = (size_t)(picture->width * samples * bytes);
  picture->band_cost = (uint64_t)picture->row_bytes * layout.rows + expected;
  return true;
}

bool ctiff_profile(ctiff *file, const void **profile, size_t *length) {
  uint32_t count = 0;
  void *bytes = NULL;
  if (!TIFFGetField(file->tiff, TIFFTAG_ICCPROFILE, &count, &bytes) || !count || !bytes) return false;
  *profile = bytes;
  *length = count;
  return true;
}

static bool convert(ctiff *file, const ctiff_picture *picture, uint8_t *rows) {
  TIFFRGBAImage image;
  char words[1024] = "";
  if (!TIFFRGBAImageBegin(&image, file->tiff, 0, words)) return false;
  // As stored: the canvas applies the orientation.
  image.req_orientation = image.orientation;
  bool complete = TIFFRGBAImageGet(&image, (uint32_t *)rows, picture->width, picture->height) != 0;
  bool opaque = image.alpha == 0;
  TIFFRGBAImageEnd(&image);
  for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
    uint32_t value;
    memcpy(&value, rows + i * 4, 4);
    uint8_t pixel[4] = {TIFFGetR(value), TIFFGetG(value), TIFFGetB(value), opaque ? 255 : TIFFGetA(value)};
    memcpy(rows + i * 4, pixel, 4);
  }
  return complete;
}

static tmsize_t read_piece(ctiff *file, const band_layout *layout, uint32_t band, uint32_t x, uint16_t plane,
                           uint8_t *piece) {
  if (layout->is_tiled) {
    uint32_t tile = TIFFComputeTile(file->tiff, x, band * layout->rows, 0, plane);
    return TIFFReadEncodedTile(file->tiff, tile, piece, layout->piece);
  }
  return TIFFReadEncodedStrip(file->tiff, TIFFComputeStrip(file->tiff, band * layout->rows, plane), piece,
                              layout->piece);
}

// Half-precision floating point (IEEE 754, binary16).
static double half(uint16_t bits) {
  double fraction = (bits & 0x3FF) / 1024.0;
  int exponent = bits >> 10 & 31;
  if (exponent == 31) return fraction != 0 ? NAN : bits >> 15 ? -INFINITY : INFINITY;
  double value = exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
  return bits >> 15 ? -value : value;
}

static double number(const uint8_t *bytes, uint8_t size) {
  uint16_t short_bits;
  float single;
  double whole;
  switch (size) {
    case 2: return memcpy(&short_bits, bytes, 2), half(short_bits);
    case 4: return memcpy(&single, bytes, 4), single;
    default: return memcpy(&whole, bytes, 8), whole;
  }
}

// Converts a row to 16-bit samples in place: the upper half of integers; floating point from 0 to 1 or the range
// given by the file.
static void shorten(TIFF *tiff, const ctiff_picture *picture, uint8_t *row) {
  uint16_t format = SAMPLEFORMAT_UINT;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  size_t count = (size_t)picture->width * (picture->colours + picture->extras), size = picture->sample_bytes;
  double least = 0, most = 1;
  if (format == SAMPLEFORMAT_IEEEFP) {
    double low = 0, high = 1;
    if (TIFFGetField(tiff, TIFFTAG_SMINSAMPLEVALUE, &low) && TIFFGetField(tiff, TIFFTAG_SMAXSAMPLEVALUE, &high) &&
        isfinite(low) && isfinite(high) && high > low) {
      least = low, most = high;
    }
  }
  for (size_t i = 0; i < count; i++) {
    uint16_t sample;
    if (format == SAMPLEFORMAT_IEEEFP) {
      double part = (number(row + i * size, picture->sample_bytes) - least) / (most - least);
      sample = part >= 1 ? 65535 : part > 0 ? (uint16_t)(part * 65535 + 0.5) : 0;
    } else {
      uint32_t whole;
      memcpy(&whole, row + i * size, 4);
      sample = (uint16_t)(whole >> 16);
    }
    memcpy(row + i * 2, &sample, 2);
  }
}

static bool read_rows(ctiff *file, const ctiff_picture *picture, uint32_t band, uint8_t *rows);

bool ctiff_read_band(ctiff *file, const ctiff_picture *picture, uint32_t band, uint8_t *rows) {
  if (picture->is_converted) return convert(file, picture, rows);
  bool complete = read_rows(file, picture, band, rows);
  uint16_t format = SAMPLEFORMAT_UINT;
  TIFFGetFieldDefaulted(file->tiff, TIFFTAG_SAMPLEFORMAT, &format);
  if (picture->sample_bytes > 2 || format == SAMPLEFORMAT_IEEEFP) {
    uint32_t count = picture->band_rows < picture->height ? picture->band_rows : picture->height;
    for (uint32_t y = 0; y < count; y++) shorten(file->tiff, picture, rows + y * picture->row_bytes);
  }
  return complete;
}

static bool read_rows(ctiff *file, const ctiff_picture *picture, uint32_t band, uint8_t *rows) {
  band_layout layout = lay_out(file->tiff, picture->width, picture->height);
  uint32_t first = band * layout.rows;
  if (first >= picture->height) return false;
  uint32_t count = picture->height - first < layout.rows ? picture->height - first : layout.rows;
  uint32_t samples = picture->colours + picture->extras, bytes = picture->sample_bytes;
  if (!layout.is_tiled && !layout.is_separate) {
    tmsize_t wanted = (tmsize_t)(picture->row_bytes * count);
    return read_piece(file, &layout, band, 0, 0, rows) >= wanted;
  }
  uint8_t *piece = malloc((size_t)layout.piece);
  if (!piece) return false;
  bool complete = true;
  uint32_t step = layout.is_separate ? bytes : samples * bytes;  // from pixel to pixel within a piece
  for (uint16_t plane = 0; plane < (layout.is_separate ? samples : 1); plane++) {
    for (uint32_t column = 0; column < layout.across; column++) {
      uint32_t x = column * layout.tile_width;
      uint32_t width = picture->width - x < layout.tile_width ? picture->width - x : layout.tile_width;
      if (read_piece(file, &layout, band, x, plane, piece) <= 0) {
        memset(piece, 0, (size_t)layout.piece);
        complete = false;
      }
      for (uint32_t y = 0; y < count; y++) {
        const uint8_t *from = piece + (size_t)y * layout.tile_width * step;
        uint8_t *to = rows + y * picture->row_bytes + ((size_t)x * samples + plane) * bytes;
        if (!layout.is_separate) {
          memcpy(to, from, (size_t)width * step);
          continue;
        }
        for (uint32_t i = 0; i < width; i++, to += samples * bytes, from += bytes) memcpy(to, from, bytes);
      }
    }
  }
  free(piece);
  return complete;
}
