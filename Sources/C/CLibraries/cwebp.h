// libwebp's advanced decoding interface and its container parser.
#include <webp/decode.h>
#include <webp/demux.h>
