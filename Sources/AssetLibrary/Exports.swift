// Clients of AssetLibrary also get the types that its declarations use.
@_exported public import Pixels
@_exported public import struct SystemPackage.FilePath
