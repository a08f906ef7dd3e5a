// Distributions disagree on the folder.
#if __has_include(<sixel/sixel.h>)
#include <sixel/sixel.h>
#else
#include <sixel.h>
#endif
