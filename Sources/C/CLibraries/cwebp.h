// libwebp's advanced decoding interface, and the reader of its container.
#include <webp/decode.h>
#include <webp/demux.h>
