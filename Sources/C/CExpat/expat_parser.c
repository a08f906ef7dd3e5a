#include "expat_parser.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// The longest that are in use have a hundred bytes.
enum { LONGEST_NAMESPACE = 1024 };

// expat's memory functions get no context; a parser is used by one thread, and a thread has one.
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

XML_Parser cexpat_parser_create(size_t budget, const uint8_t salt[16]) {
  static const XML_Memory_Handling_Suite memory = {take, take_more, give_back};
  room = budget;
  current = XML_ParserCreate_MM(NULL, &memory, " ");
  if (current == NULL) return NULL;
  XML_SetStartNamespaceDeclHandler(current, begin_namespace);
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 8)
  XML_SetHashSalt16Bytes(current, salt);
#else
  unsigned long start;
  memcpy(&start, salt, sizeof start);
  XML_SetHashSalt(current, start);
#endif
  return current;
}
