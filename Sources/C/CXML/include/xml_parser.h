// The XML parser that XMP packets go through, as the readers and writers of XMP see it.
//
// Which library takes packets apart is a matter of the program: one that is linked with CDecoders has expat, and one that is
// not can parse none. tpick is one of these: it hands files to tpick-reader.

#ifndef TPICK_XML_PARSER_H
#define TPICK_XML_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a parse tells, with `user` as it was given. Names are their namespace, a blank and the name in it; attributes are
// pairs of a name and a value, behind which a NULL stands.
struct xml_handlers {
  void (*start)(void *user, const char *name, const char **attributes);
  void (*end)(void *user, const char *name);
  void (*characters)(void *user, const char *text, int count);
  // The document declares a type, and with it perhaps entities.
  void (*document_type)(void *user);
};

// A library that parses. At most one parse is under way on a thread; its memory stays within `budget` bytes.
struct xml_library {
  bool (*parse)(const char *bytes, int count, size_t budget, const uint8_t salt[16],
                const struct xml_handlers *handlers, void *user);
  void (*stop)(void);
};

// Called once, before main, by the library that is linked.
void xml_use(const struct xml_library *library);

// Whether this program can parse.
bool xml_is_available(void);

// Parses a whole document. Returns whether it is one; the handlers have seen what stands before a defect.
// Where no library is linked nothing is one.
bool xml_parse(const char *bytes, int count, size_t budget, const uint8_t salt[16],
               const struct xml_handlers *handlers, void *user);

// Ends the parse that is under way on this thread, from one of its handlers.
void xml_stop(void);

#endif
