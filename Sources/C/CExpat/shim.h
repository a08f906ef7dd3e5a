// expat, the XML parser that XMP packets go through.
#include <expat.h>
#include <stdint.h>
#include <string.h>

// Sets what names are hashed with; expat takes all of the 16 bytes from 2.8 on.
static inline void cexpat_set_salt(XML_Parser parser, const uint8_t salt[16]) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 8)
  XML_SetHashSalt16Bytes(parser, salt);
#else
  unsigned long start;
  memcpy(&start, salt, sizeof start);
  XML_SetHashSalt(parser, start);
#endif
}
