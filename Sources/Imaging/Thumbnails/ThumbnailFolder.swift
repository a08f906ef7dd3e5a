import SystemPackage
import System

/// An open folder of thumbnails: which files are in it, and which of them tpick wrote.
struct ThumbnailFolder: ~Copyable {
  /// One file of the folder.
  struct File {
    /// Bytes.
    var size: Int
    /// Read or written last, in seconds since 1970.
    var lastUse: Int
  }

  let path: FilePath
  private let descriptor: Int32

  /// Opens a folder below the folder of all thumbnails; nil where there is none, or it can't be read.
  ///
  /// Symbolic links below `root` are not followed: files are removed in what is opened here, and a link leads to
  /// files that are none of ours. `root` itself may be one, since a user may keep all thumbnails elsewhere.
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

  /// The names in the folder, in no order, without `.` and `..`.
  func names() -> [String] {
    // The stream gets a descriptor of its own, which it closes.
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

  /// What the system says of a regular file in the folder; nil where there is none of the name.
  func file(_ name: String) -> File? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return File(
      size: Int(status.st_size), lastUse: max(status.st_mtim.tv_sec, status.st_atim.tv_sec))
  }

  /// Where our encoder puts the word about itself, whatever libspng writes before it.
  private static let head = 256

  /// Whether a thumbnail was written by tpick.
  ///
  /// Only the file's first bytes are read, without that counting as use.
  func isOwn(_ name: String) -> Bool {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    // Linux' O_NOATIME, which only the owner of a file may ask for.
    var file = openat(descriptor, name, flags | 0o1_000_000)
    if file < 0 { file = openat(descriptor, name, flags) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.head)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Self.isOwn(bytes.prefix(max(0, count)))
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Looks for the keyword `Software` in the chunks of a PNG (third edition, 5.3 and 11.3.3.2).
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

  /// Removes a folder in this one, if it is empty.
  func removeFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

  /// Removes a file.
  /// - Throws: `ThumbnailError` where it stays; one that is gone already is none.
  func remove(_ name: String) throws(ThumbnailError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .refused(path.appending(name), Errno(rawValue: errno))
    }
  }
}
