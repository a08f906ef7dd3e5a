import Fixtures
import Imaging
import Pixels
import SystemPackage
import Glibc

/// A cache folder with thumbnails, and a folder with the files they show.
struct TemporaryThumbnails {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func directory(version: String = "1") -> ThumbnailDirectory {
    ThumbnailDirectory(
      root: FilePath("\(folder.path)/cache/thumbnails"), state: FilePath("\(folder.path)/cache/tpick"),
      version: version)
  }

  /// An existing file with arbitrary contents.
  func subject(_ name: String = "a.jpg", time: Int = 1_700_000_000) throws -> ThumbnailSubject {
    try folder.write(Array("photo \(name)".utf8), to: "photos/\(name)")
    try folder.setModificationTime(time, of: "photos/\(name)")
    guard let subject = ThumbnailSubject(fileAt: FilePath("\(folder.path)/photos/\(name)")) else {
      throw FixtureError("no \(name)")
    }
    return subject
  }

  /// The files below the cache folder, without tpick's other files.
  var files: [String] {
    (try? folder.names(below: "cache/thumbnails")) ?? []
  }
}

extension TemporaryFolder {
  /// The paths of all files below a folder, sorted.
  func names(below name: String) throws -> [String] {
    var found: [String] = []
    guard let stream = opendir("\(path)/\(name)") else { return [] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let child = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if child == "." || child == ".." { continue }
      if entry.pointee.d_type == DT_DIR {
        found += try names(below: "\(name)/\(child)").map { "\(child)/\($0)" }
      } else {
        found.append(child)
      }
    }
    return found.sorted()
  }

  /// Gives a file the current time once that is later than the last change of another file.
  ///
  /// Times of files advance in steps of some milliseconds, and what was made in one step has the same time.
  func touch(_ name: String, after other: FilePath) throws {
    let isLater = eventually {
      var (own, before) = (stat(), stat())
      guard utimensat(AT_FDCWD, "\(path)/\(name)", nil, 0) == 0, stat("\(path)/\(name)", &own) == 0,
        stat(other.string, &before) == 0
      else { return false }
      return (own.st_mtim.tv_sec, own.st_mtim.tv_nsec) > (before.st_ctim.tv_sec, before.st_ctim.tv_nsec)
    }
    guard isLater else { throw FixtureError("\(name) is not later than \(other)") }
  }

  /// The permissions of a file or folder.
  func mode(of name: String) -> UInt32 {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
  }
}
