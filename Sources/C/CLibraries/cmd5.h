// libmd: MD5, by which the thumbnail standard names files, and the SHA hashes that servers report for files and
// people compare certificates by.
#include <md5.h>
#include <sys/types.h>

#include <sha.h>
#include <sha2.h>
