// libspng, which reads PNG row by row and reports errors as codes.
#include <spng.h>
