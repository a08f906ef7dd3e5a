#include "craw_place.h"

int64_t craw_preview_place(libraw_data_t *raw) {
  return static_cast<LibRaw *>(raw->parent_class)->get_internal_data_pointer()->internal_data.toffset;
}
