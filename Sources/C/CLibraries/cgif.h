// giflib's decoder, used line by line.
#include <gif_lib.h>
