import AssetLibrary
import SystemPackage

/// Finds out of paths as they come whether they are new and where they lead.
///
/// What is kept of a path is its digest, whether it leads anywhere or not: a path that was seen costs no call to the
/// system, and a file that is known in another spelling of its folder is left out.
struct CandidateFilter {
  enum Verdict {
    case seen
    /// Another spelling of what is known.
    case known
    case missing(AssetError)
    case candidate(Candidate)
  }

  /// So many spellings of folders are remembered.
  private static let mostFolders = 512

  private let probes: MountProbes
  private let path: @Sendable ([UInt8]) -> FilePath
  private var digests: Set<PathDigest> = []
  private var folders: [ArraySlice<UInt8>: FileIdentity] = [:]

  /// - Parameter path: the path that bytes of the input mean.
  init(probes: MountProbes, path: @escaping @Sendable ([UInt8]) -> FilePath) {
    self.probes = probes
    self.path = path
  }

  /// What is known of the next path; may wait for a disk.
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

  /// What is known of a path that a line means; may wait for a disk.
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

  /// The folder of a file, by the bytes of its path: taking a million paths apart by their components takes its time.
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
