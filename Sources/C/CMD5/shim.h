// libmd's MD5, by which the thumbnail standard names files, and its SHA-256, by which people compare certificates.
#include <md5.h>
#include <sha2.h>
