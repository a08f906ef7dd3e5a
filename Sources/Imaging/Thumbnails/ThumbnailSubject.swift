import AssetLibrary
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// A file as its thumbnails know it: where it is, and what tells that it has not changed since.
package struct ThumbnailSubject: Hashable, Sendable {
  /// Absolute, without dots; symbolic links are kept, as file managers show them.
  package let path: FilePath
  /// Whole seconds since 1970, UTC.
  package let modificationTime: Int
  /// Bytes.
  package let fileSize: Int
  /// Apple's name of the format, as "public.jpeg"; nil where it is not known.
  package let uniformTypeIdentifier: String?

  /// A file as it was when it was read.
  /// - Parameter path: a relative one counts from the working directory.
  package init(path: FilePath, modificationTime: Int, fileSize: Int, uniformTypeIdentifier: String? = nil) {
    self.path = path.absolute
    self.modificationTime = modificationTime
    self.fileSize = fileSize
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
      uniformTypeIdentifier: uniformTypeIdentifier)
  }

  var name: ThumbnailName { ThumbnailName(path) }

  /// The media type of the format (shared-mime-info's names); nil where it is not known.
  var mediaType: String? { uniformTypeIdentifier.flatMap { Self.mediaTypes[$0] } }

  private static let mediaTypes = [
    "public.jpeg": "image/jpeg", "public.png": "image/png", "com.compuserve.gif": "image/gif",
    "org.webmproject.webp": "image/webp", "public.heic": "image/heic", "public.avif": "image/avif",
    "public.tiff": "image/tiff", "com.microsoft.bmp": "image/bmp", "public.jpeg-xl": "image/jxl",
    "com.adobe.raw-image": "image/x-adobe-dng", "com.canon.cr2-raw-image": "image/x-canon-cr2",
    "com.canon.cr3-raw-image": "image/x-canon-cr3", "com.nikon.raw-image": "image/x-nikon-nef",
    "com.sony.arw-raw-image": "image/x-sony-arw", "com.olympus.raw-image": "image/x-olympus-orf",
    "com.panasonic.rw2-raw-image": "image/x-panasonic-rw2", "com.fuji.raw-image": "image/x-fuji-raf",
    "com.pentax.raw-image": "image/x-pentax-pef", "public.mpeg-4": "video/mp4",
    "com.apple.quicktime-movie": "video/quicktime", "com.apple.m4v-video": "video/x-m4v",
    "org.matroska.mkv": "video/x-matroska", "org.webmproject.webm": "video/webm",
    "public.avi": "video/x-msvideo", "public.3gpp": "video/3gpp",
    "public.mpeg-2-transport-stream": "video/mp2t",
  ]
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
