// Little CMS 2, the color engine, and its pixel layouts, whose macros Swift cannot import.
#include <lcms2.h>

enum clcms_layout {
  CLCMS_RGBA = TYPE_RGBA_8,
  CLCMS_GREY = TYPE_GRAY_8,
  CLCMS_CMYK = TYPE_CMYK_8,
  // As Adobe writes it into JPEGs: a full sample means no ink.
  CLCMS_INVERTED_CMYK = TYPE_CMYK_8_REV,
};
