#include "xml_parser.h"

static const struct xml_library *library;

void xml_use(const struct xml_library *given) { library = given; }

bool xml_is_available(void) { return library != NULL; }

bool xml_parse(const char *bytes, int count, size_t budget, const uint8_t salt[16],
               const struct xml_handlers *handlers, void *user) {
  return library != NULL && library->parse(bytes, count, budget, salt, handlers, user);
}

void xml_stop(void) {
  if (library != NULL) library->stop();
}
