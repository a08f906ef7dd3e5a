// Clients of AssetLibrary also get the types that its declarations use.
@_exported public import struct MediaFormats.MovieChapter
@_exported public import struct MediaFormats.MovieDetails
@_exported public import struct MediaFormats.MovieTrack
@_exported public import Pixels
@_exported public import struct SystemPackage.FilePath
