// The XML parser interface for the readers and writers of XMP.
//
// The program decides which library parses: one that links CDecoders has expat, and one that does not cannot parse.
// tpick is of the latter kind: it sends files to tpick-reader.

#ifndef TPICK_XML_PARSER_H
#define TPICK_XML_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Callbacks of a parse, each called with `user`. A name is its namespace, a blank and the local name; attributes
// are pairs of a name and a value, terminated by NULL.
struct xml_handlers {
  void (*start)(void *user, const char *name, const char **attributes);
  void (*end)(void *user, const char *name);
  void (*characters)(void *user, const char *text, int count);
  // The document has a document type declaration, which may define entities.
  void (*document_type)(void *user);
};

// A parser library. At most one parse is in progress on a thread; its memory stays within `budget` bytes.
struct xml_library {
  bool (*parse)(const char *bytes, int count, size_t budget, const uint8_t salt[16],
                const struct xml_handlers *handlers, void *user);
  void (*stop)(void);
};

// Called once, before main, by the linked library.
void xml_use(const struct xml_library *library);

// Whether this program can parse.
bool xml_is_available(void);

// Parses a whole document. Returns false if it is not well-formed; the handlers have then seen what precedes the
// error. Without a linked library always returns false.
bool xml_parse(const char *bytes, int count, size_t budget, const uint8_t salt[16],
               const struct xml_handlers *handlers, void *user);

// Ends the parse in progress on this thread, from one of its handlers.
void xml_stop(void);

#endif
