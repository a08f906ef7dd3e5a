// Parts of ncurses that Swift cannot import: macros, variadics, globals and wide-character cells.

#ifndef TPICK_CNCURSES_H
#define TPICK_CNCURSES_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>
#include <linux/memfd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

static inline WINDOW *tpick_stdscr(void) { return stdscr; }
static inline WINDOW *tpick_curscr(void) { return curscr; }
static inline int tpick_color_count(void) { return has_colors() ? COLORS : 0; }

static inline attr_t tpick_attr_normal(void) { return A_NORMAL; }
static inline attr_t tpick_attr_bold(void) { return A_BOLD; }
static inline attr_t tpick_attr_dim(void) { return A_DIM; }
static inline attr_t tpick_attr_underline(void) { return A_UNDERLINE; }
static inline attr_t tpick_attr_reverse(void) { return A_REVERSE; }
static inline attr_t tpick_attr_invisible(void) { return A_INVIS; }

// Writes one cell of up to CCHARW_MAX - 1 code points (a base and its combining marks).
static inline int tpick_put_cell(int row, int column, const wchar_t *text, attr_t attributes, short pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
  return mvwadd_wch(stdscr, row, column, &cell);
}

// The sequences that enter full-screen mode and leave it, the latter for restoring the terminal after a crash.
static inline const char *tpick_enter_ca_mode(void) { return enter_ca_mode ? enter_ca_mode : ""; }
static inline const char *tpick_exit_ca_mode(void) { return exit_ca_mode ? exit_ca_mode : ""; }

// Calls newterm with an environment in which TERMINFO is the compiled entry of `name` ("TERMINFO=b64:…"), the only
// way to give ncurses one. The process environment stays unchanged for everybody who has a pointer to it: other
// threads may be reading it, which rules out setenv, because it moves the array. The allocated memory stays:
// ncurses keeps pointers into it.
extern char **environ;
static inline SCREEN *tpick_newterm_described(const char *name, const char *entry, FILE *output, FILE *input) {
  char **before = environ;
  size_t count = 0;
  while (before && before[count]) count++;
  char **variables = malloc((count + 2) * sizeof *variables);
  char *own = strdup(entry);
  if (!variables || !own) {
    free(variables);
    free(own);
    return NULL;
  }
  size_t kept = 0;
  variables[kept++] = own;
  for (size_t index = 0; index < count; index++) {
    if (strncmp(before[index], "TERMINFO=", 9) != 0) variables[kept++] = before[index];
  }
  variables[kept] = NULL;
  environ = variables;
  SCREEN *screen = newterm(name, output, input);
  environ = before;
  return screen;
}

// Whether the terminal can move the cursor, without which no screen can be drawn.
static inline bool tpick_can_move_cursor(void) { return cursor_address != NULL; }

// Opens memory for ncurses to write to in place of the terminal; negative on failure.
static inline int tpick_memory(void) { return (int)syscall(SYS_memfd_create, "tpick-screen", MFD_CLOEXEC); }

#endif
