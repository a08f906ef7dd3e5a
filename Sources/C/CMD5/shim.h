// libmd's MD5, by which the thumbnail standard names files.
#include <md5.h>
