import AssetLibrary
import CPlatform
import Metadata
import System
import SystemPackage

/// Favorites written to XMP sidecars as five stars, which other programs read: all of a call's, or none.
///
/// A favorite replaces the stars that a photo had; the ledger remembers them until the photo is no favorite. The photos
/// themselves are never written to.
struct SidecarEdits {
  /// The assets whose favorite is in a sidecar now, and the stars that each had before it became one.
  private(set) var starsBefore: [LocalIdentifier: Int] = [:]
  /// The indexes of the folders in which sidecars were written.
  private(set) var folders: Set<Int> = []
  /// What the files held before; nil for those that are new.
  private var written: [(path: FilePath, before: [UInt8]?)] = []

  private static let favoriteStars = 5

  /// Writes the sidecars.
  /// - Throws: `AssetError` that names the file that can't be written; all others are as they were then.
  init(
    _ changes: [AssetChange], in table: LibraryTable, _ storage: LibraryStorage, _ sources: LibrarySources
  ) throws(AssetError) {
    var favorites: [LocalIdentifier: Bool] = [:]
    for case .setFavorite(let asset, let isFavorite) in changes { favorites[asset] = isFavorite }
    if favorites.isEmpty { return }
    let remembered = storage.starsBeforeFavorite(of: Array(favorites.keys))
    do throws(AssetError) {
      for (identifier, isFavorite) in favorites.sorted(by: { $0.key < $1.key }) {
        guard let handle = table.handle(of: identifier) else { continue }
        let asset = table.element(at: handle)
        let paths = Self.sidecars(of: asset)
        // Nothing is written on servers: the ledger keeps these.
        if sources.remotes.contains(where: { remote in paths.contains { $0.starts(with: remote.path) } }) {
          continue
        }
        // What the library knows may be older than the last change of this run.
        let before = asset.rating == Self.favoriteStars ? remembered[identifier] ?? 0 : asset.rating
        for path in paths {
          try write(isFavorite ? Self.favoriteStars : remembered[identifier] ?? before, to: path)
        }
        starsBefore[identifier] = before
        folders.insert(table.state.segment(of: handle).folder)
      }
    } catch {
      takeBack()
      throw error
    }
  }

  /// No sidecars: the library keeps favorites in its ledger.
  init() {}

  /// The asset's sidecars; a name for one where there is none: `a.jpg.xmp`, as darktable and digiKam have it.
  private static func sidecars(of asset: Asset) -> [FilePath] {
    let found = asset.resources.map(\.path).filter { $0.extension?.lowercased() == "xmp" }
    guard found.isEmpty, let photo = asset.resource(for: .unadjusted)?.path else { return found }
    return [FilePath(bytes: photo.bytes + Array(".xmp".utf8))]
  }

  private mutating func write(_ stars: Int, to sidecar: FilePath) throws(AssetError) {
    // A link stays one: the file that it leads to is written.
    let path = sidecar.resolved ?? sidecar
    do {
      let before = try SidecarFile.read(path)
      let after = try XMPRating.setting(stars, in: before ?? [])
      if after == before { return }
      try SidecarFile.write(after, to: path)
      written.append((path, before))
    } catch let error as Errno {
      throw AssetError(sidecar.displayString, "\(error)")
    } catch {
      throw AssetError(sidecar.displayString, "is not an XMP file that a rating can be written to")
    }
  }

  /// Gives all files their bytes back, because the changes can't be kept.
  func takeBack() {
    for (path, before) in written.reversed() {
      if let before {
        // The change is refused either way; a file that can't be written back has five stars and is whole.
        try? SidecarFile.write(before, to: path)
      } else {
        _ = path.withPlatformString { unlink($0) }
      }
    }
  }
}

/// Reading and replacing sidecars.
private enum SidecarFile {
  /// The bytes of the file; nil where there is none.
  static func read(_ path: FilePath) throws(Errno) -> [UInt8]? {
    if let bytes = PrivateFile.read(path, limit: XMPRating.maximumLength) { return bytes }
    let file = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    close(file)
    // No regular file, or one that is too long for a sidecar.
    throw .invalidArgument
  }

  /// Replaces the file at once: a program that reads it sees the old bytes or the new ones. It keeps its mode.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(Errno) {
    let draft = path.removingLastComponent().appending(
      ".tpick." + String(UInt64.random(in: 0 ... .max), radix: 16))
    var status = stat()
    let isThere = path.withPlatformString { stat($0, &status) } == 0
    let file = draft.withPlatformString {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    var failure = PrivateFile.write(bytes, to: file)
    if failure == nil, isThere, fchmod(file, status.st_mode & 0o7777) != 0 {
      failure = Errno(rawValue: errno)
    }
    // Only root can give files away; for all others the file is theirs already.
    if failure == nil, isThere { _ = fchown(file, status.st_uid, status.st_gid) }
    if failure == nil, fsync(file) != 0 { failure = Errno(rawValue: errno) }
    if close(file) != 0, failure == nil { failure = Errno(rawValue: errno) }
    if failure == nil {
      let renamed = draft.withPlatformString { from in path.withPlatformString { rename(from, $0) } }
      if renamed != 0 { failure = Errno(rawValue: errno) }
    }
    if let failure {
      _ = draft.withPlatformString { unlink($0) }
      throw failure
    }
  }
}
