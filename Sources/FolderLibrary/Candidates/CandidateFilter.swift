import AssetLibrary
import SystemPackage

/// Checks incoming paths: whether they are new, and whether they lead to a file or folder.
///
/// Keeps a digest of each path, whether or not it exists, so that a repeated path costs no system call. A
/// file that is already known under another spelling of its folder is dropped.
struct CandidateFilter {
  enum Verdict {
    case seen
    /// Another spelling of a known path.
    case known
    case missing(AssetError)
    case candidate(Candidate)
  }

  /// The maximum number of cached folder spellings.
  private static let mostFolders = 512

  private let probes: MountProbes
  private let path: @Sendable ([UInt8]) -> FilePath
  private var digests: Set<PathDigest> = []
  private var folders: [ArraySlice<UInt8>: FileIdentity] = [:]

  /// - Parameter path: converts bytes of the input to a path.
  init(probes: MountProbes, path: @escaping @Sendable ([UInt8]) -> FilePath) {
    self.probes = probes
    self.path = path
  }

  /// Returns the verdict on the next piece of input; may block on a disk.
  mutating func verdict(on piece: PathSplitter.Piece) -> Verdict {
    switch piece {
    case .overlong(let bytes):
      guard digests.insert(PathDigest(path: bytes)).inserted else { return .seen }
      return .missing(AssetError(String(decoding: bytes, as: UTF8.self), "\(Errno.fileNameTooLong)"))
    case .path(let bytes):
      guard digests.insert(PathDigest(path: bytes)).inserted else { return .seen }
      return verdict(on: path(Array(bytes)))
    }
  }

  /// Returns the verdict on a path; may block on a disk.
  mutating func verdict(on path: FilePath) -> Verdict {
    guard probes.answers(path, within: MountProbes.shortPatience) else {
      return .candidate(Candidate(path: path, kind: .silent))
    }
    do {
      let isFolder = try path.stat().type == .directory
      guard let identity = isFolder ? FileIdentity(of: path) : folder(of: path.bytes) else {
        throw Errno.noSuchFileOrDirectory
      }
      let digest =
        isFolder ? PathDigest(folder: identity) : PathDigest(name: path.nameBytes, in: identity)
      guard digests.insert(digest).inserted else { return .known }
      return .candidate(
        Candidate(path: path, kind: isFolder ? .folder(identity) : .file(folder: identity)))
    } catch {
      return .missing(AssetError(path: path, error))
    }
  }

  /// Returns the identity of a file's folder.
  ///
  /// Works on bytes, since splitting a million paths into components is slow.
  private mutating func folder(of file: [UInt8]) -> FileIdentity? {
    let slash = file.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { file[..<max($0, 1)] } ?? [UInt8(ascii: ".")]
    if let known = folders[folder] { return known }
    let identity = FileIdentity(of: FilePath(bytes: Array(folder)))
    if folders.count >= Self.mostFolders { folders = [:] }
    folders[folder] = identity
    return identity
  }
}

/// A 128-bit digest of a path, or of a file in its folder.
///
/// Among a million paths, a collision occurs once in 10^26 runs. The hash keys change with every run, so
/// collisions can't be constructed.
struct PathDigest: Hashable {
  private let first: UInt64
  private let second: UInt64

  /// Digest of a path's bytes as written.
  init(path: some Sequence<UInt8>) { self.init(bytes: Array(path), 0, 0, 0) }

  /// Digest of a folder, however its path is written.
  init(folder: FileIdentity) { self.init(bytes: [], 1, folder.device, folder.inode) }

  /// Digest of a file, however its folder's path is written.
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
