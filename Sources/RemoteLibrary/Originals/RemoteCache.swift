import FolderLibrary
import Pixels
package import SystemPackage
import System

/// The files cached from servers: reports their size and removes them.
package struct RemoteCache: Sendable {
  /// A number of originals and their total size in bytes.
  package struct Tally: Sendable {
    package var files = 0
    package var bytes: Int64 = 0

    mutating func add(_ size: Int64) {
      files += 1
      bytes = bytes.addingSaturated(max(0, size))
    }
  }

  /// The folder of the originals.
  package let path: FilePath
  private let database: FilePath

  /// - Parameter cache: the folder for data that can be downloaded again.
  package init(_ cache: FilePath) {
    path = cache.appending("originals")
    database = cache.appending("remote.sqlite")
  }

  /// Whether the cache was ever used.
  package var isThere: Bool { OriginalsCache.size(of: database) != nil }

  /// The totals of all originals, and of those that were picked.
  package var originals: (all: Tally, picked: Tally) {
    guard isThere else { return (Tally(), Tally()) }
    var (all, picked) = (Tally(), Tally())
    for original in RemoteDatabase(at: database).originals where original.isWhole {
      all.add(original.size)
      if original.isPicked { picked.add(original.size) }
    }
    return (all, picked)
  }

  /// Removes thumbnails, listings, incomplete downloads and originals.
  ///
  /// Keeps originals that were picked, since other programs may use their paths.
  /// - Parameter withPicked: whether to remove picked originals too.
  /// - Returns: the number and size of the removed originals.
  package func clear(withPicked: Bool = false) -> Tally {
    guard isThere else { return Tally() }
    let database = RemoteDatabase(at: database)
    var removed = Tally()
    var gone: [UInt64] = []
    let leases = OriginalLeases(in: path)
    for original in database.originals where withPicked || !original.isPicked || !original.isWhole {
      let isWhole = original.isWhole
      // Keep originals on which another tpick has a lease.
      if isWhole, !leases.remove(original, in: database) { continue }
      if isWhole { removed.add(original.size) }
      gone.append(original.version)
    }
    database.remove(originals: gone)
    database.forgetListings()
    removeParts()
    return removed
  }

  /// Removes incomplete downloads, except those that another tpick is writing.
  private func removeParts() {
    let folder = path.appending(".parts")
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first == UInt8(ascii: ".") { continue }
      let file = openat(dirfd(stream), String(decoding: name, as: UTF8.self), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      let part = FileLock(owning: file)
      if case .locked = part.tryLock() {
        unlinkat(dirfd(stream), String(decoding: name, as: UTF8.self), 0)
      }
    }
  }
}

extension RemoteDatabase.Original {
  /// Whether the file exists with its full size.
  var isWhole: Bool { OriginalsCache.size(of: path) == size }
}
