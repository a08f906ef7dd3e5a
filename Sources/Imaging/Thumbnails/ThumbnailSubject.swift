import AssetLibrary
import MediaFormats
package import SystemPackage
import System

/// The identity of a file for its thumbnails: its path, and attributes that reveal a change.
package struct ThumbnailSubject: Hashable, Sendable {
  /// An absolute path without `.` and `..`; symbolic links are not resolved, as in file managers.
  package let path: FilePath
  /// The modification time in whole seconds since 1970, UTC.
  let modificationTime: Int
  /// The size in bytes.
  let fileSize: Int
  /// The version, which programs can't set arbitrarily; nil if unknown.
  let version: FileVersion?
  /// Apple's uniform type identifier, as "public.jpeg"; nil if unknown.
  package let uniformTypeIdentifier: String?

  /// Creates the identity of a file as it was when it was read.
  /// - Parameter path: relative paths are resolved against the working directory.
  package init(
    path: FilePath, modificationTime: Int, fileSize: Int, version: FileVersion? = nil,
    uniformTypeIdentifier: String? = nil
  ) {
    self.path = path.absolute
    self.modificationTime = modificationTime
    self.fileSize = fileSize
    self.version = version
    self.uniformTypeIdentifier = uniformTypeIdentifier
  }

  /// Returns the current identity of a file; nil if it is not a regular file.
  ///
  /// Call it before reading the image, so that a concurrent change of the file makes the thumbnail stale.
  package init?(fileAt path: FilePath, uniformTypeIdentifier: String? = nil) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    self.init(
      path: path, modificationTime: status.st_mtim.tv_sec, fileSize: Int(status.st_size),
      version: FileVersion(inode: UInt64(status.st_ino), changeTime: status.st_ctim.nanoseconds),
      uniformTypeIdentifier: uniformTypeIdentifier)
  }

  /// Whether the file is unchanged and was not written to in the last moment.
  ///
  /// A file that is still being written may have been read incompletely. Times are in whole seconds, so the
  /// complete file could have the same time, and a thumbnail of the incomplete one would pass for its own.
  /// - Parameter now: the time in seconds since 1970, as time(2) returns it. The time of a file may be some
  ///   milliseconds ahead of it, and thus in the next second.
  func isSettled(at now: Int) -> Bool {
    let age = now - modificationTime
    guard !(-1...1).contains(age) else { return false }
    return isUnchanged
  }

  /// Whether the file is unchanged.
  var isUnchanged: Bool {
    let now = ThumbnailSubject(fileAt: path)
    return now?.modificationTime == modificationTime && now?.fileSize == fileSize && now?.version == version
  }

  var name: ThumbnailName { ThumbnailName(path) }

  /// The MIME type of the format (shared-mime-info); nil if unknown.
  var mediaType: String? {
    uniformTypeIdentifier.flatMap { FileFormat(uniformTypeIdentifier: $0)?.mimeType }
  }
}

extension FilePath {
  /// The absolute path, without `.` and `..`.
  ///
  /// The part before `..` is resolved first, because the parent of a symbolic link's target is elsewhere.
  var absolute: FilePath {
    var full = self
    if !isAbsolute, let folder = getcwd(nil, 0) {
      full = FilePath(platformString: folder).pushing(self)
      free(folder)
    }
    var plain = FilePath(root: full.root)
    for component in full.components {
      switch component.kind {
      case .currentDirectory: break
      case .parentDirectory:
        plain = plain.resolved ?? plain
        plain.removeLastComponent()
      case .regular: plain.append(component)
      }
    }
    return plain
  }

  /// The path with all symbolic links resolved; nil if it does not exist.
  var resolved: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }
}
