// Conversion for profiles of three primaries and three curves, as nearly all RGB profiles are. lcms2 is fast for
// them with 8 bits only; with 16 bits it is either coarse or slow. Tables reduce it to one lookup, one matrix and
// another lookup (ICC.1:2010, F.3).

#include "canvas_parts.h"

#include <math.h>
#include <stdlib.h>

// Entries of the table from linear light to sRGB; the darkest sRGB values span four entries each.
enum { LIGHTS = 1 << 14 };

struct canvas_matrix {
  float factors[3][3];
  uint8_t values[LIGHTS];
  uint32_t most;
  float lights[];  // for every value of each of the three channels
};

typedef struct {
  double columns[3][3];
} colorants;

static bool read_colorants(cmsHPROFILE profile, colorants *read) {
  static const cmsTagSignature tags[3] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  for (int i = 0; i < 3; i++) {
    const cmsCIEXYZ *place = cmsReadTag(profile, tags[i]);
    if (!place || !isfinite(place->X) || !isfinite(place->Y) || !isfinite(place->Z)) return false;
    read->columns[i][0] = place->X, read->columns[i][1] = place->Y, read->columns[i][2] = place->Z;
  }
  return true;
}

static double minor(const colorants *m, int i, int j) {
  int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return m->columns[a][c] * m->columns[b][d] - m->columns[a][d] * m->columns[b][c];
}

// Computes the matrix from the linear light of one color space to that of the other, by Cramer's rule.
static bool relate(const colorants *from, const colorants *to, float factors[3][3]) {
  double determinant = 0;
  for (int j = 0; j < 3; j++) determinant += to->columns[0][j] * minor(to, 0, j);
  if (fabs(determinant) < 1e-6) return false;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      double sum = 0;
      for (int j = 0; j < 3; j++) sum += minor(to, row, j) / determinant * from->columns[column][j];
      factors[row][column] = (float)sum;
    }
  }
  return true;
}

static bool is_plain(cmsHPROFILE profile) {
  return cmsGetPCS(profile) == cmsSigXYZData && cmsIsMatrixShaper(profile) && !cmsIsTag(profile, cmsSigAToB0Tag);
}

static void fill_values(uint8_t values[LIGHTS]) {
  for (int i = 0; i < LIGHTS; i++) {
    double light = (double)i / (LIGHTS - 1);
    double value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
    values[i] = (uint8_t)lround(value * 255);
  }
}

canvas_matrix *canvas_matrix_create(cmsHPROFILE profile, cmsHPROFILE srgb, bool is_wide) {
  static const cmsTagSignature tags[3] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
  colorants from, to;
  if (!is_plain(profile) || !read_colorants(profile, &from) || !read_colorants(srgb, &to)) return NULL;
  uint32_t most = is_wide ? 65535 : 255;
  canvas_matrix *matrix = malloc(sizeof *matrix + 3 * ((size_t)most + 1) * sizeof(float));
  if (!matrix) return NULL;
  matrix->most = most;
  bool good = relate(&from, &to, matrix->factors);
  for (int i = 0; good && i < 3; i++) {
    const cmsToneCurve *curve = cmsReadTag(profile, tags[i]);
    good = curve != NULL;
    float *lights = matrix->lights + (size_t)i * (most + 1);
    for (uint32_t v = 0; good && v <= most; v++) {
      float light = cmsEvalToneCurveFloat(curve, (float)v / (float)most);
      lights[v] = light >= 0 ? fminf(light, 1) : 0;
    }
  }
  if (!good) {
    free(matrix);
    return NULL;
  }
  fill_values(matrix->values);
  return matrix;
}

static uint8_t value(const canvas_matrix *matrix, int row, float red, float green, float blue) {
  const float *factors = matrix->factors[row];
  float light = factors[0] * red + factors[1] * green + factors[2] * blue;
  light = light > 0 ? light < 1 ? light : 1 : 0;
  return matrix->values[(int)(light * (LIGHTS - 1) + 0.5f)];
}

static inline void convert(const canvas_matrix *matrix, uint32_t r, uint32_t g, uint32_t b, uint8_t *pixel) {
  size_t count = (size_t)matrix->most + 1;
  float red = matrix->lights[r], green = matrix->lights[count + g], blue = matrix->lights[2 * count + b];
  for (int row = 0; row < 3; row++) pixel[row] = value(matrix, row, red, green, blue);
}

void canvas_matrix_convert(const canvas_matrix *matrix, const void *samples, uint32_t step, uint32_t count,
                           uint8_t *line) {
  const uint8_t *narrow = samples;
  const uint16_t *wide = samples;
  if (matrix->most == 255) {
    for (uint32_t x = 0; x < count; x++, narrow += step, line += 4) {
      convert(matrix, narrow[0], narrow[1], narrow[2], line);
    }
  } else {
    for (uint32_t x = 0; x < count; x++, wide += step, line += 4) convert(matrix, wide[0], wide[1], wide[2], line);
  }
}

bool canvas_matrix_changes_nothing(const canvas_matrix *matrix) {
  for (int i = 0; i < 6 * 6 * 6; i++) {
    uint32_t in[3] = {(uint32_t)(i % 6 * 51), (uint32_t)(i / 6 % 6 * 51), (uint32_t)(i / 36 * 51)};
    uint32_t factor = matrix->most / 255;
    uint8_t out[4];
    convert(matrix, in[0] * factor, in[1] * factor, in[2] * factor, out);
    for (int s = 0; s < 3; s++) {
      if (abs((int)in[s] - (int)out[s]) > 2) return false;
    }
  }
  return true;
}
