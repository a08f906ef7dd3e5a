// expat as the XML parser of a program: linking this target is all that it takes.
//
// expat keeps the whole name of each attribute of an element, namespace included: a megabyte can ask for gigabytes. So it gets
// its budget and no more, behind which the parse ends; and a namespace of a length that none has ends it too. Names are
// hashed with a salt; expat takes all of its 16 bytes from 2.8 on.

#ifndef TPICK_EXPAT_LIBRARY_H
#define TPICK_EXPAT_LIBRARY_H
#endif
