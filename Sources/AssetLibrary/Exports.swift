// Who imports AssetLibrary gets the values that its declarations are made of.
@_exported public import Pixels
@_exported public import struct SystemPackage.FilePath
