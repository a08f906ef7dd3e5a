// expat, the XML parser that XMP packets go through, bounded in what it takes.

#ifndef TPICK_CEXPAT_H
#define TPICK_CEXPAT_H

#include <expat.h>
#include <stddef.h>
#include <stdint.h>

// Makes a parser that gives names as their namespace, a blank and the name in it. To be freed by XML_ParserFree on the
// thread that made it, before that makes another.
//
// expat keeps the whole name of each attribute of an element, namespace included: a megabyte can ask for gigabytes. So
// it gets `budget` bytes at a time and no more, behind which the parse ends with XML_ERROR_NO_MEMORY; and a namespace
// of a length that none has ends it too. Names are hashed with `salt`; expat takes all of the 16 bytes from 2.8 on.
//
// Returns NULL where there is no memory.
XML_Parser cexpat_parser_create(size_t budget, const uint8_t salt[16]);

#endif
