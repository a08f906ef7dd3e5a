// Encoding with libjpeg-turbo. libjpeg reports errors by longjmp, which must never cross a Swift frame: it stays
// inside this implementation. A separate target, so that a program that only encodes links no decoder.

#ifndef TPICK_CJPEG_ENCODE_H
#define TPICK_CJPEG_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Encodes RGBA rows as a JPEG with an optional APP1 payload. Colors are subsampled by `across` and `down`, each 1
// or 2. The result is allocated with malloc and owned by the caller. Returns false if libjpeg fails (an empty
// picture, no memory).
bool cjpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, int across, int down,
                  bool progressive, const uint8_t *app1, size_t app1_length, uint8_t **jpeg, size_t *length);

#endif
