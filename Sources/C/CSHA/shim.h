// libmd's SHA-1 and SHA-2, by which servers know their files.
#include <sys/types.h>

#include <sha.h>
#include <sha2.h>
