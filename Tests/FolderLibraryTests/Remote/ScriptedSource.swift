import AssetLibrary
import CodecProtocol
import Fixtures
import Synchronization
import SystemPackage

@testable import FolderLibrary

/// A source on a server that does not exist.
///
/// It records requests and blocks them on a test's command.
final class ScriptedSource: RemoteSource {
  private struct State {
    var files: [String: [UInt8]] = [:]
    /// Reported sizes that differ from the files' real ones.
    var sizes: [String: Int64] = [:]
    /// Folders that lead to other folders, by path.
    var links: [String: String] = [:]
    /// Whether every folder contains another one with another photo.
    var isBottomless = false
    /// Number of requested bytes.
    var bytesAsked = 0
    var listed: [String] = []
    var asked: [String] = []
    var brought: [String] = []
    var kept: [Kept] = []
  }

  /// A stored thumbnail.
  struct Kept: Hashable {
    var name: String
    var count: Int
    var isWanted: Bool
  }

  let name = "nas:Photos"
  let printedName = "nas:Photos"
  let canonicalPath = Array("rclone:nas:/Photos".utf8)
  let names: Set<[UInt8]>?
  let path: FilePath
  let isOffline = false
  let connections = 8
  /// Blocks the listing of folders.
  let listing = Barrier()
  /// Blocks the reading of files.
  let reading = Barrier()
  private let kept: TemporaryFolder
  private let state = Mutex(State())
  private let isGoneNow = Mutex(false)
  private let failure = Mutex<AssetError?>(nil)
  private let longestShort = Mutex(Int64.max)

  /// - Parameter names: The files that were named individually; nil = all.
  init(names: Set<[UInt8]>? = nil) throws {
    self.names = names
    kept = try TemporaryFolder()
    path = kept.filePath
  }

  /// Adds a file.
  func write(_ bytes: [UInt8], to name: String) { state.withLock { $0.files[name] = bytes } }

  /// Reports another size for a file, which is padded with zeros if that is larger.
  func setSize(_ size: Int64, of name: String) { state.withLock { $0.sizes[name] = size } }

  /// Makes a folder lead to another one.
  func link(_ folder: String, to other: String) { state.withLock { $0.links[folder] = other } }

  /// Makes every folder contain another one with a photo of its own, without end.
  func setBottomless() { state.withLock { $0.isBottomless = true } }

  /// Number of requested bytes.
  var bytesAsked: Int { state.withLock { $0.bytesAsked } }

  /// Listed folders, in the order of the requests.
  var listed: [String] { state.withLock { $0.listed } }
  /// Files that were read, in the order of their first requests.
  var asked: [String] { state.withLock { $0.asked } }
  /// Files that were downloaded in full.
  var brought: [String] { state.withLock { $0.brought } }

  /// Stored thumbnails, grouped by file.
  var thumbnails: [Kept] { state.withLock { $0.kept } }

  /// Whether every read fails for now.
  var isGone: Bool {
    get { isGoneNow.withLock { $0 } }
    set { isGoneNow.withLock { $0 = newValue } }
  }

  /// The error of every listing; nil if listings succeed.
  var listingFailure: AssetError? {
    get { failure.withLock { $0 } }
    set { failure.withLock { $0 = newValue } }
  }

  /// Sets up to which size in bytes files are downloaded in full.
  func setLongestShort(_ count: Int64) { longestShort.withLock { $0 = count } }

  func list(
    _ folder: [UInt8], modified: Int64?, isLeaf: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> RemoteListing? {
    let asked = String(decoding: folder, as: UTF8.self)
    state.withLock { $0.listed.append(asked) }
    listing.pass(asked)
    if let listingFailure { throw listingFailure }
    var listing = RemoteListing()
    var folders: Set<String> = []
    let (files, sizes, links, isBottomless) = state.withLock {
      ($0.files, $0.sizes, $0.links, $0.isBottomless)
    }
    if isBottomless {
      let depth = folder.split(separator: UInt8(ascii: "/")).count
      for (name, isFolder) in [("deeper", true), ("x.txt", false)] {
        let entry = RemoteListing.Entry(
          name: Array(name.utf8), key: RemoteListing.key(of: "\(asked)/\(name)".utf8), size: Int64(depth),
          modified: 0)
        listing.add(entry, isFolder: isFolder)
      }
      return listing
    }
    let place = Self.resolved(asked, links)
    for link in links.keys.sorted() where link.hasPrefix(place.isEmpty ? "" : "\(place)/") {
      let name = link.dropFirst(place.isEmpty ? 0 : place.utf8.count + 1)
      guard !name.contains("/") else { continue }
      listing.add(
        RemoteListing.Entry(
          name: Array(name.utf8), key: RemoteListing.key(of: "\(asked)/\(name)".utf8), size: -1, modified: 0),
        isFolder: true)
    }
    for (name, bytes) in files {
      guard place.isEmpty || name.hasPrefix("\(place)/") else { continue }
      let parts = name.dropFirst(place.isEmpty ? 0 : place.utf8.count + 1).split(separator: "/", maxSplits: 1)
      let entry = RemoteListing.Entry(
        name: Array(parts[0].utf8),
        key: RemoteListing.key(of: asked == place ? name.utf8 : "\(asked)/\(parts[0])".utf8),
        size: sizes[name] ?? Int64(bytes.count), modified: 0)
      if parts.count == 1 || folders.insert(String(parts[0])).inserted {
        listing.add(entry, isFolder: parts.count > 1)
      }
    }
    return listing
  }

  /// The folder to which a path through links leads.
  private static func resolved(_ place: String, _ links: [String: String]) -> String {
    var found = ""
    for part in place.split(separator: "/") {
      found += found.isEmpty ? String(part) : "/\(part)"
      if let target = links[found] { found = target }
    }
    return found
  }

  func finishedListing(_ folder: [UInt8], modified: Int64?, asked: Int64) {}

  func read(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(AssetError) {
    let name = String(decoding: file.path, as: UTF8.self)
    let bytes = state.withLock { state in
      if !state.asked.contains(name) { state.asked.append(name) }
      state.bytesAsked += range.count
      let slash = name.lastIndex(of: "/")
      let folder = slash.map { Self.resolved(String(name[..<$0]), state.links) } ?? ""
      let last = slash.map { name[name.index(after: $0)...] } ?? name[...]
      let bytes = state.files[folder.isEmpty ? String(last) : "\(folder)/\(last)"] ?? []
      let length = min(range.upperBound, Int(clamping: state.sizes[name] ?? 0))
      // No test reads this much: the request alone is a failure.
      guard length > bytes.count, length < 64 << 20 else { return bytes }
      return bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }
    if isGone { throw AssetError(self.name, "is not reached", isTransient: true) }
    reading.pass(name)
    _ = bytes[range.clamped(to: bytes.indices)].withUnsafeBytes { take($0) }
  }

  func keep(thumbnail: [UInt8], at offset: Int, of file: RemoteFile, isWanted: Bool) {
    let name = String(decoding: file.path, as: UTF8.self)
    state.withLock { $0.kept.append(Kept(name: name, count: thumbnail.count, isWanted: isWanted)) }
  }

  func keep(picture: DecodedPicture, of file: RemoteFile) -> Bool { false }

  func downloadShort(
    _ file: RemoteFile, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> Bool {
    if isGone { throw AssetError(name, "is not reached", isTransient: true) }
    state.withLock { $0.brought.append(String(decoding: file.path, as: UTF8.self)) }
    return file.size <= longestShort.withLock { $0 }
  }
}

/// Blocks threads while it is closed.
final class Barrier: Sendable {
  private let isClosed = Mutex<@Sendable (String) -> Bool>({ _ in false })
  private let waiting = Atomic(0)

  /// Number of waiting threads.
  var count: Int { waiting.load(ordering: .acquiring) }

  /// Blocks threads that arrive with a matching name.
  func close(for isClosed: @escaping @Sendable (String) -> Bool = { _ in true }) {
    self.isClosed.withLock { $0 = isClosed }
  }

  func open() { close { _ in false } }

  func pass(_ word: String) {
    waiting.add(1, ordering: .acquiringAndReleasing)
    _ = eventually { !isClosed.withLock { $0 }(word) }
    waiting.subtract(1, ordering: .acquiringAndReleasing)
  }
}
