#include "expat_library.h"

#include <expat.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <xml_parser.h>

// Namespaces in use have at most about a hundred bytes.
enum { LONGEST_NAMESPACE = 1024 };

// expat's memory functions get no context, but each thread has at most one parser.
static _Thread_local size_t room;
static _Thread_local XML_Parser current;

static void *take(size_t size) {
  if (size > room) return NULL;
  void *block = malloc(size);
  size_t taken = malloc_usable_size(block);
  room -= taken < room ? taken : room;
  return block;
}

static void give_back(void *block) {
  room += malloc_usable_size(block);
  free(block);
}

static void *take_more(void *block, size_t size) {
  size_t old = malloc_usable_size(block);
  if (size > room + old) return NULL;
  void *larger = realloc(block, size);
  if (larger == NULL) return NULL;
  size_t all = room + old;
  size_t taken = malloc_usable_size(larger);
  room = taken < all ? all - taken : 0;
  return larger;
}

static void begin_namespace(void *user, const XML_Char *prefix, const XML_Char *name) {
  (void)user;
  (void)prefix;
  if (name != NULL && strnlen(name, LONGEST_NAMESPACE + 1) > LONGEST_NAMESPACE) XML_StopParser(current, 0);
}

// Handlers of the parse in progress.
static _Thread_local const struct xml_handlers *handlers;

static void begin_type(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public, int has_subset) {
  (void)name;
  (void)system;
  (void)public;
  (void)has_subset;
  handlers->document_type(user);
}

static bool parse(const char *bytes, int count, size_t budget, const uint8_t salt[16],
                  const struct xml_handlers *given, void *user) {
  static const XML_Memory_Handling_Suite memory = {take, take_more, give_back};
  room = budget;
  handlers = given;
  current = XML_ParserCreate_MM(NULL, &memory, " ");
  if (current == NULL) return false;
  XML_SetUserData(current, user);
  XML_SetElementHandler(current, given->start, given->end);
  XML_SetCharacterDataHandler(current, given->characters);
  XML_SetStartDoctypeDeclHandler(current, begin_type);
  XML_SetStartNamespaceDeclHandler(current, begin_namespace);
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 8)
  XML_SetHashSalt16Bytes(current, salt);
#else
  unsigned long start;
  memcpy(&start, salt, sizeof start);
  XML_SetHashSalt(current, start);
#endif
  bool is_whole = XML_Parse(current, bytes, count, 1) == XML_STATUS_OK;
  XML_ParserFree(current);
  current = NULL;
  return is_whole;
}

static void stop(void) {
  if (current != NULL) XML_StopParser(current, 0);
}

__attribute__((constructor)) static void use(void) {
  static const struct xml_library expat = {parse, stop};
  xml_use(&expat);
}
