import CPlatform
import SystemPackage

/// A folder of a server as it was listed, or a part of it as the library knows it.
final class RemoteFolder: FolderContents {
  let path: FilePath
  private let name: String
  /// The names of its files, in the order of their bytes.
  let names: NameTable
  private let statuses: [[UInt8]: file_status]

  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - files: what is known of each, by its name.
  init(_ path: FilePath, called name: String, identity: FileIdentity, _ files: [RemoteListing.Entry]) {
    (self.path, self.name) = (path, name)
    var names = NameTable()
    var statuses: [[UInt8]: file_status] = [:]
    statuses.reserveCapacity(files.count)
    for file in files {
      var status = file_status()
      status.device = identity.device
      status.inode = file.key
      status.link_count = 1
      status.size = file.size
      status.modified = file.modified
      // Some servers let two files have one name: the first one counts, as rclone has it.
      guard statuses.updateValue(status, forKey: file.name) == nil else { continue }
      names.append(file.name)
    }
    names.sort()
    self.names = names
    self.statuses = statuses
  }

  func status(of name: UnsafePointer<CChar>) -> file_status? {
    var bytes: [UInt8] = []
    var next = name
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    return statuses[bytes]
  }

  func subject(of name: ArraySlice<UInt8>) -> String { RemoteName.appending(name, to: self.name) }

  var onDisk: OpenFolder? { nil }
}

extension RemoteSource {
  /// The number that stands for the remote in place of a device: the same for each folder of it that is a source.
  private var device: UInt64 {
    let remote = canonicalPath.prefix { $0 != UInt8(ascii: "/") }
    // No device of a system has so high a number.
    return StableHash.hash(remote) | 1 << 63
  }

  /// Which folder of the source it is.
  /// - Parameter folder: its path below the source.
  func identity(of folder: [UInt8]) -> FileIdentity {
    FileIdentity(device: device, inode: StableHash.hash(canonicalPath(of: folder)))
  }

  /// Under this name the index knows a folder.
  func canonicalPath(of folder: [UInt8]) -> [UInt8] {
    folder.isEmpty ? canonicalPath : canonicalPath + [UInt8(ascii: "/")] + folder
  }

  /// Where the files of a folder are once they were brought.
  func path(of folder: [UInt8]) -> FilePath { folder.isEmpty ? path : path.appendingName(folder) }

  /// Whether a folder below the source is looked at.
  func includes(_ folder: [UInt8]) -> Bool {
    guard let names, !folder.isEmpty else { return true }
    return names.contains(Array(folder.prefix { $0 != UInt8(ascii: "/") }))
  }

  /// The path below the source of a folder that the library knows; nil for one of another source.
  func folder(at canonical: [UInt8]) -> [UInt8]? {
    if canonical == canonicalPath { return [] }
    let root = canonicalPath + [UInt8(ascii: "/")]
    return canonical.starts(with: root) ? Array(canonical.dropFirst(root.count)) : nil
  }
}
