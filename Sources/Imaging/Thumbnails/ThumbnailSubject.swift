import AssetLibrary
import MediaFormats
package import SystemPackage
import System

/// A file as its thumbnails know it: where it is, and what tells that it has not changed since.
package struct ThumbnailSubject: Hashable, Sendable {
  /// Absolute, without dots; symbolic links are kept, as file managers show them.
  package let path: FilePath
  /// Whole seconds since 1970, UTC.
  let modificationTime: Int
  /// Bytes.
  let fileSize: Int
  /// What no program can set as it likes; nil where it is not known.
  let version: FileVersion?
  /// Apple's name of the format, as "public.jpeg"; nil where it is not known.
  package let uniformTypeIdentifier: String?

  /// A file as it was when it was read.
  /// - Parameter path: a relative one counts from the working directory.
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

  /// A file as it is now; nil where there is none, or something else of that name.
  ///
  /// Ask before its picture is read: a file that changes meanwhile then makes its thumbnail stale.
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

  /// Whether the file is still as it was, and was not written to a moment ago.
  ///
  /// Where it is not, what was found in it may have been half of it; with a time of whole seconds, the whole file that
  /// follows can look the same.
  var isSettled: Bool {
    let age = time(nil) - modificationTime
    guard !(0...1).contains(age) else { return false }
    return isUnchanged
  }

  /// Whether the file is still as it was.
  var isUnchanged: Bool {
    let now = ThumbnailSubject(fileAt: path)
    return now?.modificationTime == modificationTime && now?.fileSize == fileSize && now?.version == version
  }

  var name: ThumbnailName { ThumbnailName(path) }

  /// The media type of the format (shared-mime-info's names); nil where it is not known.
  var mediaType: String? {
    uniformTypeIdentifier.flatMap { FileFormat(uniformTypeIdentifier: $0)?.mimeType }
  }
}

extension FilePath {
  /// The path from the root, without single and double dots.
  ///
  /// What stands before a double dot is resolved first: behind a symbolic link it leads elsewhere.
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

  /// Where the path leads once every symbolic link is followed; nil where it leads nowhere.
  var resolved: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }
}
