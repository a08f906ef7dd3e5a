#define _GNU_SOURCE
#include "curl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static struct curl_library library;
static bool is_loaded;

// C does not allow assigning an object pointer to a function pointer (dlsym(3)).
static bool find(void *handle, const char *name, void *function) {
  void *found = dlsym(handle, name);
  *(void **)function = found;
  return found != NULL;
}

static bool find_all(void *handle) {
  CURLcode (*global_init)(long);
  return find(handle, "curl_global_init", &global_init) && find(handle, "curl_easy_init", &library.easy_init) &&
         find(handle, "curl_easy_cleanup", &library.easy_cleanup) &&
         find(handle, "curl_easy_reset", &library.easy_reset) &&
         find(handle, "curl_easy_perform", &library.easy_perform) &&
         find(handle, "curl_easy_setopt", &library.easy_setopt) &&
         find(handle, "curl_easy_getinfo", &library.easy_getinfo) &&
         find(handle, "curl_easy_strerror", &library.easy_strerror) &&
         find(handle, "curl_multi_init", &library.multi_init) &&
         find(handle, "curl_multi_cleanup", &library.multi_cleanup) &&
         find(handle, "curl_multi_add_handle", &library.multi_add_handle) &&
         find(handle, "curl_multi_remove_handle", &library.multi_remove_handle) &&
         find(handle, "curl_multi_perform", &library.multi_perform) &&
         find(handle, "curl_multi_poll", &library.multi_poll) &&
         find(handle, "curl_multi_info_read", &library.multi_info_read) &&
         find(handle, "curl_slist_append", &library.slist_append) &&
         find(handle, "curl_slist_free_all", &library.slist_free_all) && global_init(CURL_GLOBAL_ALL) == CURLE_OK;
}

static void load(void) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (handle) is_loaded = find_all(handle);
}

const struct curl_library *curl_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &library : NULL;
}
