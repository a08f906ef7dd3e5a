import SystemPackage
import System

/// An open folder of thumbnails.
struct ThumbnailFolder: ~Copyable {
  /// A file in the folder.
  struct File {
    /// The size in bytes.
    var size: Int
    /// The time of the last read or write, in seconds since 1970.
    var lastUse: Int
  }

  let path: FilePath
  private let descriptor: Int32

  /// Opens a folder below the folder of all thumbnails; nil if it does not exist or can't be read.
  ///
  /// Symbolic links below `root` are not followed: files in the opened folder may be removed, and a link may
  /// lead to files of others. `root` itself may be a link, because a user may store all thumbnails elsewhere.
  init?(_ root: FilePath, _ names: [String]) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var opened = root.withPlatformString { open($0, flags) }
    for name in names where opened >= 0 {
      let folder = opened
      opened = openat(folder, name, flags | O_NOFOLLOW)
      close(folder)
    }
    guard opened >= 0 else { return nil }
    descriptor = opened
    path = names.reduce(root) { $0.appending($1) }
  }

  deinit {
    close(descriptor)
  }

  /// Returns the names in the folder, unordered and without `.` and `..`.
  func names() -> [String] {
    // The stream needs its own descriptor, because it closes it.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0, let stream = fdopendir(own) else {
      if own >= 0 { close(own) }
      return []
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns size and last use of a regular file; nil if there is none with this name.
  func file(_ name: String) -> File? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return File(
      size: Int(status.st_size), lastUse: max(status.st_mtim.tv_sec, status.st_atim.tv_sec))
  }

  /// The number of bytes at the start of a file within which the encoder writes the `Software` chunk.
  private static let head = 256

  /// Whether tpick wrote a thumbnail.
  ///
  /// Only the first bytes of the file are read, without changing its access time.
  func isOwn(_ name: String) -> Bool {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    // O_NOATIME on Linux, which only the owner of a file may use.
    var file = openat(descriptor, name, flags | 0o1_000_000)
    if file < 0 { file = openat(descriptor, name, flags) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.head)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Self.isOwn(bytes.prefix(max(0, count)))
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Searches for the keyword `Software` in the chunks of a PNG (third edition, 5.3 and 11.3.3.2).
  static func isOwn(_ head: ArraySlice<UInt8>) -> Bool {
    guard head.starts(with: Self.signature) else { return false }
    let words = Array("Software\0\(ThumbnailEncoder.software)".utf8)
    var offset = 8
    while offset + 8 <= head.count {
      let length = head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let content = offset + 8
      if head[content - 4..<content].elementsEqual("tEXt".utf8), length == words.count,
        head[content...].starts(with: words)
      {
        return true
      }
      offset = content + length + 4
    }
    return false
  }

  /// Removes a subfolder if it is empty.
  func removeFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

  /// Removes a file if it exists.
  /// - Throws: `ThumbnailError` if it can't be removed.
  func remove(_ name: String) throws(ThumbnailError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .refused(path.appending(name), Errno(rawValue: errno))
    }
  }
}
