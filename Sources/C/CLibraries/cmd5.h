// libmd's MD5, by which the thumbnail standard names files, and the hashes by which servers know their
// files and people compare certificates.
#include <md5.h>
#include <sys/types.h>

#include <sha.h>
#include <sha2.h>
