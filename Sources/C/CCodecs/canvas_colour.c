#include "canvas_parts.h"

#include <math.h>
#include <stdlib.h>

// Larger profiles are rejected; those of printers with many patches have two or three million bytes.
enum { LARGEST_PROFILE = 16 << 20 };

static cmsUInt32Number layout(const canvas_format *format) {
  cmsUInt32Number space = format->colours == 1 ? PT_GRAY : format->colours == 3 ? PT_RGB : PT_CMYK;
  return COLORSPACE_SH(space) | CHANNELS_SH(format->colours) | EXTRA_SH(format->extras) |
         BYTES_SH(format->is_wide ? 2 : 1);
}

static bool use(canvas *canvas, cmsHPROFILE profile) {
  cmsHPROFILE srgb = cmsCreate_sRGBProfile();
  if (!srgb) return false;
  free(canvas->matrix);
  if (canvas->transform) cmsDeleteTransform(canvas->transform);
  canvas->transform = NULL;
  canvas->matrix = canvas->format.colours == 3 ? canvas_matrix_create(profile, srgb, canvas->format.is_wide) : NULL;
  bool used = canvas->matrix != NULL;
  if (used && canvas_matrix_changes_nothing(canvas->matrix)) {
    free(canvas->matrix);
    canvas->matrix = NULL;
  }
  if (!used) {
    canvas->transform =
        cmsCreateTransform(profile, layout(&canvas->format), srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL, 0);
    used = canvas->transform != NULL;
  }
  cmsCloseProfile(srgb);
  return used;
}

bool canvas_set_profile(canvas *canvas, const void *bytes, size_t length) {
  if (!length || length > LARGEST_PROFILE) return false;
  cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)length);
  if (!profile) return false;
  cmsColorSpaceSignature space = cmsGetColorSpace(profile);
  uint8_t colours = canvas->format.colours;
  bool fits = (space == cmsSigGrayData && colours == 1) || (space == cmsSigRgbData && colours == 3) ||
              (space == cmsSigCmykData && colours == 4);
  bool used = fits && use(canvas, profile);
  cmsCloseProfile(profile);
  return used;
}

// Luminance that is rendered as white in an HDR picture: ITU-R BT.2408 has 203 cd/m² for it.
static const double WHITE = 203;

// Values up to this fraction of white are kept; brighter ones are compressed into the remaining range.
static const double KNEE = 0.6;

static double pressed(double light) {
  if (light <= KNEE) return light;
  return KNEE + (1 - KNEE) * (1 - exp((KNEE - light) / (1 - KNEE)));
}

// Perceptual quantizer (SMPTE ST 2084): luminance as a fraction of white.
static double perceptual(double signal) {
  const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 3424.0 / 4096, c2 = 2413.0 / 128, c3 = 2392.0 / 128;
  double power = pow(signal, 1 / m2);
  return pow(fmax(0, power - c1) / (c2 - c3 * power), 1 / m1) * 10000 / WHITE;
}

// Hybrid log-gamma on a display of 1000 cd/m² (ITU-R BT.2100, table 5), applied to each channel separately.
static double hybrid(double signal) {
  const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
  double scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
  return pow(scene, 1.2) * 1000 / WHITE;
}

static cmsToneCurve *tone(int transfer) {
  // IEC 61966-2-1. Also used for the transfer functions of cameras, such as BT.709's: displays show both alike.
  cmsFloat64Number srgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  switch (transfer) {
    case 4: return cmsBuildGamma(NULL, 2.2);
    case 5: return cmsBuildGamma(NULL, 2.8);
    case 8: return cmsBuildGamma(NULL, 1);
    case 17: return cmsBuildGamma(NULL, 2.6);
    case 16:
    case 18: {
      float curve[1024];
      for (int i = 0; i < 1024; i++) {
        double signal = i / 1023.0;
        curve[i] = (float)pressed(transfer == 16 ? perceptual(signal) : hybrid(signal));
      }
      return cmsBuildTabulatedToneCurveFloat(NULL, 1024, curve);
    }
    default: return cmsBuildParametricToneCurve(NULL, 4, srgb);
  }
}

void canvas_set_coding(canvas *canvas, int primaries, int transfer) {
  if (canvas->format.colours != 3) return;
  static const cmsCIExyYTRIPLE bt709 = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
  static const cmsCIExyYTRIPLE bt2020 = {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
  static const cmsCIExyYTRIPLE p3 = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
  cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE *colours = primaries == 9                       ? &bt2020
                                   : primaries == 11 || primaries == 12 ? &p3
                                                                        : &bt709;
  if (primaries == 11) white = (cmsCIExyY){0.314, 0.351, 1};
  cmsToneCurve *curve = tone(transfer);
  if (!curve) return;
  cmsToneCurve *curves[3] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, colours, curves);
  if (profile) {
    (void)use(canvas, profile);
    cmsCloseProfile(profile);
  }
  cmsFreeToneCurve(curve);
}
