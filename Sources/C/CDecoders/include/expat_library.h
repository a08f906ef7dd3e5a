// Registers expat as the XML parser of the program; linking this target is enough.
//
// For every attribute of an element, expat stores the whole name including the namespace: a megabyte of input can
// require gigabytes. So the parse ends when it exceeds its memory budget, or at an unreasonably long namespace.
// Names are hashed with a salt; expat uses all of its 16 bytes from 2.8 on.

#ifndef TPICK_EXPAT_LIBRARY_H
#define TPICK_EXPAT_LIBRARY_H
#endif
