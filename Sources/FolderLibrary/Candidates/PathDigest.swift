/// 128 bits that stand for a path, or for a file in its folder.
///
/// Two of a million are the same by chance once in 10^26 runs. The keys of the hash are new in every run, so that nobody can
/// make two that are.
struct PathDigest: Hashable {
  private let first: UInt64
  private let second: UInt64

  /// A digest of the bytes of a path as it is written.
  init(path: some Sequence<UInt8>) { self.init(bytes: Array(path), 0, 0, 0) }

  /// A digest of a folder, however it is written.
  init(folder: FileIdentity) { self.init(bytes: [], 1, folder.device, folder.inode) }

  /// A digest of a file, however its folder is written.
  init(name: [UInt8], in folder: FileIdentity) { self.init(bytes: name, 2, folder.device, folder.inode) }

  private init(bytes: [UInt8], _ kind: UInt64, _ device: UInt64, _ inode: UInt64) {
    func hash(_ half: UInt64) -> UInt64 {
      var hasher = Hasher()
      hasher.combine(kind << 1 | half)
      hasher.combine(device)
      hasher.combine(inode)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
    (first, second) = (hash(0), hash(1))
  }

  func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
