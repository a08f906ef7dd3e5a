// Re-exports the C library to every module that imports System. tpick supports Linux with glibc.
@_exported public import Glibc
