import AssetLibrary
import CPlatform
import SystemPackage
import System

/// A folder open for reading: its entries, and the files in it by their own names.
///
/// Short names seen from an open folder cost less than whole paths. The descriptor is closed when the last
/// reference goes. Sendable because it never changes.
final class OpenFolder: Sendable {
  /// The entries of a folder by kind, each list in the order of the names' bytes.
  struct Entries: Sendable {
    var files = NameTable()
    /// Folders of the folder, without those whose names begin with a dot.
    var folders = NameTable()
    /// Links to folders.
    var links = NameTable()
    /// Whether the folder asks to be left out of every library (`.nomedia`).
    var asksToBeHidden = false
  }

  let path: FilePath
  let descriptor: Int32
  let identity: FileIdentity

  /// Opens a folder.
  /// - Throws: `AssetError` when there is none or it can't be read.
  init(_ path: FilePath) throws(AssetError) {
    self.path = path
    // The files of a folder without a name are named without one.
    descriptor = (path.isEmpty ? FilePath(".") : path).withPlatformString { name in
      DescriptorLimit.waiting { open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    guard descriptor >= 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    var status = file_status()
    guard file_status_of(descriptor, &status) == 0 else {
      let failure = Errno(rawValue: errno)
      close(descriptor)
      throw AssetError(path: path, failure)
    }
    identity = FileIdentity(device: status.device, inode: status.inode)
  }

  deinit {
    close(descriptor)
  }

  /// The path of the folder without links and dots, as far as it can be told.
  ///
  /// The kernel knows it of what is open; without that every name on the way would be looked at, of each folder of a deep
  /// tree again.
  var canonicalPath: FilePath {
    if let told = FilePath("/proc/self/fd/\(descriptor)").linkTarget, told.isAbsolute,
      FileIdentity(of: told) == identity
    {
      return told
    }
    return (path.isEmpty ? FilePath(".") : path).resolved ?? path
  }

  /// Reads the names in the folder; what is neither a file nor a folder is left out.
  func entries() throws(AssetError) -> Entries {
    // The stream gets a descriptor of its own, which it closes.
    let own = DescriptorLimit.waiting { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    guard own >= 0, let stream = fdopendir(own) else {
      let failure = Errno(rawValue: errno)
      if own >= 0 { close(own) }
      throw AssetError(path: path, failure)
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var entries = Entries()
    errno = 0
    while let entry = readdir(stream) {
      let kind = Int(entry.pointee.d_type)
      withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { sort($0, kind: kind, into: &entries) }
      }
      errno = 0
    }
    guard errno == 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    entries.files.sort()
    entries.folders.sort()
    entries.links.sort()
    return entries
  }

  private func sort(_ name: UnsafePointer<CChar>, kind: Int, into entries: inout Entries) {
    let isDotted = name[0] == CChar(UInt8(ascii: "."))
    if isDotted {
      if strcmp(name, ".nomedia") == 0 { entries.asksToBeHidden = true }
    }
    var isLink = false
    var isFolder = kind == Int(DT_DIR)
    if kind == Int(DT_LNK) || kind == Int(DT_UNKNOWN) {
      var status = file_status()
      guard file_status_at(descriptor, name, 1, &status) == 0 else { return }
      isLink = kind == Int(DT_LNK)
      isFolder = status.mode & S_IFMT == S_IFDIR
      guard isFolder || status.mode & S_IFMT == S_IFREG else { return }
    } else if kind != Int(DT_REG), !isFolder {
      return
    }
    // Folders with a dot (.git, .thumbnails, .cache) are programs' own stores.
    switch (isFolder, isLink) {
    case (true, _) where isDotted: break
    case (true, true): entries.links.append(name)
    case (true, false): entries.folders.append(name)
    case (false, _): if !Self.isLeftover(name) { entries.files.append(name, isLink: isLink) }
    }
  }

  private static func isLeftover(_ name: UnsafePointer<CChar>) -> Bool {
    let count = strlen(name)
    return name.withMemoryRebound(to: UInt8.self, capacity: count) {
      FileName.isLeftover(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// What the system says of a file in the folder, links followed; nil when it is gone.
  func status(of name: UnsafePointer<CChar>) -> file_status? {
    var status = file_status()
    return file_status_at(descriptor, name, 1, &status) == 0 ? status : nil
  }
}
