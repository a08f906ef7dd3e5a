import AssetLibrary
import SystemPackage

extension FilePath {
  /// The path of an entry of this folder, byte for byte.
  func appendingName(_ name: some Collection<UInt8>) -> FilePath {
    let folder = bytes
    let slash = folder.isEmpty || folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: folder + slash + name)
  }
}
