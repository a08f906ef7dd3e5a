// expat, the XML parser that XMP packets go through.
#include <expat.h>
