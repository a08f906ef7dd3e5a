// Encoding with libjpeg-turbo. libjpeg reports errors by longjmp, which must never cross a Swift frame: it stays inside
// this file's implementation. Apart from the decoder, so that a program that only encodes is linked with no decoder.

#ifndef TPICK_CJPEG_ENCODE_H
#define TPICK_CJPEG_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Encodes RGBA rows as a JPEG with an optional APP1 payload. Colours are stored `across` and `down` times
// coarser than brightness, each 1 or 2. The result is allocated with malloc and belongs to the caller.
// Returns false where libjpeg refuses (an empty picture, no memory).
bool cjpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, int across, int down,
                  bool progressive, const uint8_t *app1, size_t app1_length, uint8_t **jpeg, size_t *length);

#endif
