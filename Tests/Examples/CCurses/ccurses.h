// ncurses for a program with a screen of its own.
#define NCURSES_WIDECHAR 1
#include <curses.h>
