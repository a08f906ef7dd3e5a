// The C library, for every module that imports System: tpick is made for Linux with that of GNU.
@_exported public import Glibc
