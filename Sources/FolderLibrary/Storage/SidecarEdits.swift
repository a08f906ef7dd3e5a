import AssetLibrary
import CPlatform
import Metadata
import System
import SystemPackage

/// Writes favorites to XMP sidecars as five stars, for other programs: all of one call, or none.
///
/// A favorite replaces the stars in the sidecar; the ledger stores them, and they return when the favorite is
/// removed, unless another program has set other stars meanwhile. The photos themselves are never written.
struct SidecarEdits {
  /// The assets whose favorite mark is now stored in their sidecar instead of the ledger.
  private(set) var assets: Set<LocalIdentifier> = []
  /// The indexes of the folders in which sidecars were written.
  private(set) var folders: Set<Int> = []
  /// The written files with their previous bytes, nil for new files, and their new ones.
  private var written: [(path: FilePath, before: [UInt8]?, after: [UInt8])] = []

  private static let favoriteStars = 5

  /// The new contents of a sidecar.
  private struct Edit {
    var asset: LocalIdentifier
    var folder: Int
    var path: FilePath
    var before: [UInt8]?
    var after: [UInt8]
  }

  /// Writes the sidecars.
  /// - Throws: `AssetError` that names the file that can't be written; all others are unchanged then.
  init(
    _ changes: [AssetChange], in table: LibraryTable, _ storage: LibraryStorage, _ sources: LibrarySources
  ) throws(AssetError) {
    var favorites: [LocalIdentifier: Bool] = [:]
    for case .setFavorite(let asset, let isFavorite) in changes { favorites[asset] = isFavorite }
    if favorites.isEmpty { return }
    let remembered = try storage.starsBeforeFavorite(of: Array(favorites.keys))
    var edits: [Edit] = []
    var stars: [LocalIdentifier: Int] = [:]
    for (identifier, isFavorite) in favorites.sorted(by: { $0.key < $1.key }) {
      guard let handle = table.handle(of: identifier) else { continue }
      let asset = table.element(at: handle)
      // Nothing is written to servers.
      guard let path = Self.sidecar(of: asset),
        !sources.remotes.contains(where: { path.starts(with: $0.path) })
      else { continue }
      let (before, rating) = try Self.read(path)
      let after: [UInt8]
      if isFavorite {
        if rating != Self.favoriteStars {
          let known = rating ?? (asset.rating == Self.favoriteStars ? 0 : asset.rating)
          stars[identifier] = known
        }
        after = try Self.setting(Self.favoriteStars, in: before, path)
      } else if rating == Self.favoriteStars {
        after = try Self.setting(remembered[identifier] ?? 0, in: before, path)
      } else if rating == nil, asset.rating == Self.favoriteStars {
        // The five stars are in the photo itself, so the ledger stores that it is not a favorite.
        continue
      } else {
        after = before ?? []
      }
      assets.insert(identifier)
      if after == before ?? [] { continue }
      edits.append(
        Edit(
          asset: identifier, folder: table.state.segment(of: handle).folder, path: path, before: before,
          after: after))
    }
    // Store the stars before writing the files, so that a crash in between does not lose them.
    try storage.rememberStars(stars)
    for edit in edits {
      do throws(Errno) {
        // Flushing thousands of files takes minutes, in which another program may write into this one.
        let now = try SidecarFile.read(edit.path)
        guard now == edit.before || now == edit.after else { throw .resourceTemporarilyUnavailable }
        try SidecarFile.write(edit.after, to: edit.path)
      } catch {
        let reason =
          error == .resourceTemporarilyUnavailable ? "is being changed by another program" : "\(error)"
        throw rollBack(because: AssetError(edit.path.displayString, reason))
      }
      written.append((edit.path, edit.before, edit.after))
      folders.insert(edit.folder)
    }
  }

  /// Creates an empty list of edits, for libraries that store favorites in the ledger.
  init() {}

  /// Returns the path of the sidecar that determines an asset's rating, or of a new one, named `a.jpg.xmp` as
  /// darktable and digiKam do it.
  ///
  /// Nil if a file with that name would not belong to the asset.
  private static func sidecar(of asset: Asset) -> FilePath? {
    let found = asset.resources.map(\.path).last { $0.extension?.lowercased() == "xmp" }
    if let found { return found }
    guard let photo = asset.resource(for: .unadjusted)?.path else { return nil }
    let name = photo.nameBytes + Array(".xmp".utf8)
    let (own, new) = (FileName(photo.nameBytes), FileName(name))
    guard name.count <= Int(NAME_MAX), new.part == .sidecar, new.stem == own.stem, new.target == own.suffix
    else { return nil }
    return photo.removingLastComponent().appendingName(name)
  }

  /// Returns the contents of a sidecar and its rating; nil without a file.
  private static func read(_ path: FilePath) throws(AssetError) -> (bytes: [UInt8]?, rating: Int?) {
    do {
      guard let bytes = try SidecarFile.read(path) else { return (nil, nil) }
      return (bytes, try XMPRating.rating(in: bytes))
    } catch let error as Errno {
      let reason =
        switch error {
        case .invalidArgument: "not a file of at most \(XMPRating.maximumLength >> 20) MiB"
        case .resourceTemporarilyUnavailable: "empty, or being written"
        default: "\(error)"
        }
      throw AssetError(path.displayString, reason)
    } catch {
      throw AssetError(path.displayString, "not an XMP file that a rating can be written to")
    }
  }

  private static func setting(
    _ stars: Int, in bytes: [UInt8]?, _ path: FilePath
  ) throws(AssetError) -> [UInt8] {
    do {
      return try XMPRating.setting(stars, in: bytes)
    } catch {
      throw AssetError(path.displayString, "not an XMP file that a rating can be written to")
    }
  }

  /// Restores all files, because the changes can't be stored.
  /// - Returns: the reason; if a file can't be restored, or another program has changed it since, also the name of the
  ///   first such file, which keeps its new rating and is intact.
  func rollBack(because error: AssetError) -> AssetError {
    var kept: FilePath?
    for (path, before, after) in written.reversed() {
      do throws(Errno) {
        let now = try SidecarFile.read(path)
        if now == before { continue }
        guard now == after else {
          kept = path
          continue
        }
        if let before {
          try SidecarFile.write(before, to: path)
        } else if path.withPlatformString({ unlink($0) }) != 0, errno != ENOENT {
          throw Errno(rawValue: errno)
        }
      } catch {
        kept = path
      }
    }
    guard let kept else { return error }
    return AssetError(error.subject, "\(error.reason); \(kept.displayString) keeps its new rating")
  }
}

/// Reads and replaces sidecar files.
private enum SidecarFile {
  /// Returns the bytes of the file; nil if it does not exist.
  /// - Throws: `Errno` also for a file that is empty, too long, not a regular file, or changes during the
  ///   read, because another program may be writing it.
  static func read(_ path: FilePath) throws(Errno) -> [UInt8]? {
    guard let file = PrivateFile.open(path, limit: XMPRating.maximumLength) else {
      let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor < 0 else {
        close(descriptor)
        throw .invalidArgument
      }
      let failure = Errno(rawValue: errno)
      // The name of a dangling link is not free.
      if failure == .noSuchFileOrDirectory, path.linkTarget == nil { return nil }
      throw failure
    }
    close(file.descriptor)
    let bytes = PrivateFile.read(path, limit: XMPRating.maximumLength)
    guard let bytes, !bytes.isEmpty, bytes.count == file.size else { throw .resourceTemporarilyUnavailable }
    return bytes
  }

  /// Replaces the file atomically: readers see either the old bytes or the new ones.
  ///
  /// Keeps its mode and group. Refuses another user's file, because the new file would belong to this user;
  /// root keeps the owner instead.
  static func write(_ bytes: [UInt8], to sidecar: FilePath) throws(Errno) {
    // Write the target of a link, so that the link remains.
    let path = sidecar.resolved ?? sidecar
    var status = stat()
    let isThere = path.withPlatformString { stat($0, &status) } == 0
    let isRoot = geteuid() == 0
    if isThere, status.st_uid != geteuid(), !isRoot { throw .notPermitted }
    let name = ".tpick." + String(UInt64.random(in: 0 ... .max), radix: 16)
    let draft = path.removingLastComponent().appending(name)
    let mode: mode_t = isThere ? 0o600 : 0o666
    let file = draft.withPlatformString {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    var failure = PrivateFile.write(bytes, to: file)
    if failure == nil, isThere {
      // Fails for groups that this user is not in.
      _ = fchown(file, isRoot ? status.st_uid : uid_t.max, status.st_gid)
      if fchmod(file, status.st_mode & 0o7777) != 0 { failure = Errno(rawValue: errno) }
    }
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
