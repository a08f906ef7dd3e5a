import FolderLibrary
import PhotoPicker
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The folder of `--writable`: one that shows nothing which the sandbox is to keep from the command.
struct WritableFolder {
  /// Its full path.
  let path: [UInt8]

  /// - Parameter sources: where the photos come from.
  /// - Throws: `Failure` where it is no folder, or has a source or tpick's cache in it.
  init(_ word: String, sources: [FilePath]) throws(Failure) {
    let given = PathArgument.path(word)
    var facts = stat()
    guard given.withPlatformString({ stat($0, &facts) }) == 0 else {
      throw .error("--writable: \(word): \(Errno(rawValue: errno))")
    }
    guard facts.st_mode & S_IFMT == S_IFDIR, let resolved = given.resolved else {
      throw .error("--writable: \(word): is no folder")
    }
    path = resolved.bytes
    for place in sources + [UserDirectories.cache] {
      guard let full = place.resolved?.bytes, holds(full) else { continue }
      throw .error(
        "--writable: \(word): the command would see all of \(String(decoding: place.bytes, as: UTF8.self))")
    }
  }

  /// - Throws: `Failure` where one of these photos lies in it, whose neighbours the command would see.
  func check(_ photos: some Collection<[UInt8]>) throws(Failure) {
    guard let photo = photos.first(where: holds) else { return }
    throw .error(
      "--writable: the command would see what lies beside \(String(decoding: photo, as: UTF8.self))")
  }

  /// Whether something is this folder, or lies in it or below.
  private func holds(_ other: [UInt8]) -> Bool {
    path == Array("/".utf8) || other == path || other.starts(with: path + [UInt8(ascii: "/")])
  }
}
