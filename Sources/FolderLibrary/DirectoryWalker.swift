import AssetLibrary
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// Walks folders and tells of the files in each, the last name first.
///
/// Folders and files are mostly named after dates or counted up, so that the newest come first: what the
/// user sees while the walk goes on stays where it is.
///
/// Hidden entries (names that begin with a dot, folders that hold `.nomedia`) are left out. Links are
/// followed, and a folder is entered once however many ways lead to it, so that loops end.
struct DirectoryWalker {
  /// One folder and the files directly in it.
  struct Folder {
    var path: FilePath
    /// How deep below the source it lies; 0 for the source.
    var depth: Int
    var identity: FileIdentity
    var files: [FilePath]
  }

  private var visited: Set<FileIdentity> = []

  /// Calls `visit` for each folder, `report` for each that can't be read, until `isCancelled`.
  mutating func walk(
    _ root: FilePath, isCancelled: () -> Bool, visit: (Folder) -> Void, report: (AssetError) -> Void
  ) {
    // Depth first with an explicit stack: a deep tree must not exhaust the thread's own.
    // Links come last: a folder that is also there under its own name is found under that.
    var pending: [(path: FilePath, depth: Int)] = [(root, 0)]
    var links: [(path: FilePath, depth: Int)] = []
    while let (path, depth) = pending.popLast() ?? links.popLast(), !isCancelled() {
      do throws(AssetError) {
        guard let listing = try enter(path) else { continue }
        visit(
          Folder(
            path: path, depth: depth, identity: listing.identity, files: listing.files.reversed()))
        // The stack gives the last first.
        pending.append(contentsOf: listing.folders.map { ($0, depth + 1) })
        links.append(contentsOf: listing.links.map { ($0, depth + 1) })
      } catch {
        report(error)
      }
    }
  }

  private struct Listing {
    var identity: FileIdentity
    var files: [FilePath] = []
    var folders: [FilePath] = []
    var links: [FilePath] = []
  }

  /// The entries of a folder; nil when it was entered before or asks to be left alone.
  private mutating func enter(_ path: FilePath) throws(AssetError) -> Listing? {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      throw AssetError(path: path, Errno(rawValue: errno))
    }
    defer { closedir(stream) }
    var listing: Listing
    do {
      listing = Listing(identity: FileIdentity(try FileDescriptor(rawValue: dirfd(stream)).stat()))
    } catch {
      throw AssetError(path: path, error)
    }
    // The link count of a folder changes with its contents and is no part of what it is.
    listing.identity.linkCount = 0
    guard visited.insert(listing.identity).inserted else { return nil }
    var entries: [(name: [UInt8], kind: UInt8)] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name == Array(".nomedia".utf8) { return nil }
      if name.first != UInt8(ascii: ".") { entries.append((name, entry.pointee.d_type)) }
      errno = 0
    }
    guard errno == 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    for (name, kind) in entries {
      let child = FilePath(bytes: path.bytes + (path.bytes.last == UInt8(ascii: "/") ? [] : [0x2F]) + name)
      switch Int(kind) {
      case Int(DT_REG): listing.files.append(child)
      case Int(DT_DIR): listing.folders.append(child)
      case Int(DT_LNK), Int(DT_UNKNOWN):
        switch child.fileType {
        case .regular: listing.files.append(child)
        case .directory where Int(kind) == Int(DT_LNK): listing.links.append(child)
        case .directory: listing.folders.append(child)
        default: break
        }
      default: break
      }
    }
    return listing
  }
}
