import AssetLibrary
import FolderLibrary
import Synchronization

/// The small pictures of files on servers that are on this machine.
///
/// What is in the database is known without a look at it, as far as that can be: a thumbnail that is in its file counts as here
/// until somebody looks for it in vain. Calls may come from any thread.
final class RemoteThumbnails: Sendable {
  private struct State {
    /// Of which one was made.
    var made: Set<UInt64> = []
    /// Whose own one had to make room for others.
    var lost: Set<UInt64> = []
    var observer: (@Sendable () -> Void)?
  }

  private let database: RemoteDatabase
  private let state: Mutex<State>

  init(_ database: RemoteDatabase) {
    self.database = database
    state = Mutex(State(made: database.madeThumbnails))
  }

  /// Calls something, on any thread, after each change of what `copy` says.
  func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

  /// Tells the library what is here.
  func copy(to copies: inout RemoteCopies) {
    (copies.madeThumbnails, copies.lostThumbnails) = state.withLock { ($0.made, $0.lost) }
  }

  /// Keeps the small picture of a file in one version.
  /// - Parameter makesRoom: whether the oldest ones go where there is no room; else this one is not kept.
  /// - Returns: whether it is kept.
  @discardableResult
  func keep(_ thumbnail: RemoteDatabase.Thumbnail, of version: UInt64, makesRoom: Bool) -> Bool {
    guard database.keep(thumbnail, of: version, makesRoom: makesRoom) else { return false }
    change { state in
      let isNews = state.lost.remove(version) != nil
      if case .made = thumbnail { return state.made.insert(version).inserted || isNews }
      return isNews
    }
    return true
  }

  /// The small picture of a file in one version; nil where there is none, which is known from then on.
  func thumbnail(of version: UInt64) -> RemoteDatabase.Thumbnail? {
    if let thumbnail = database.thumbnail(of: version) { return thumbnail }
    change { state in
      let wasMade = state.made.remove(version) != nil
      return state.lost.insert(version).inserted || wasMade
    }
    return nil
  }

  /// - Parameter body: answers whether it changed anything.
  private func change(_ body: (inout State) -> Bool) {
    let observer = state.withLock { state in body(&state) ? state.observer : nil }
    observer?()
  }
}

/// The embedded thumbnail of a file that is not here, at its place in the file; all else of it reads as nothing.
struct ThumbnailReader: ResourceReader {
  private let bytes: [UInt8]
  private let place: Int
  let count: Int

  /// - Parameters:
  ///   - place: where in the file the thumbnail lies.
  ///   - count: the length of the whole file.
  init(_ bytes: [UInt8], at place: Int, of count: Int) {
    // Where the length of the file is not known, it goes at least as far as its thumbnail.
    (self.bytes, self.place, self.count) = (bytes, place, max(count, place + bytes.count))
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let wanted = (offset..<offset + buffer.count).clamped(to: 0..<count)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    let there = wanted.clamped(to: place..<place + bytes.count)
    guard !there.isEmpty else { return wanted.count }
    let target = UnsafeMutableRawBufferPointer(
      rebasing: buffer[(there.lowerBound - offset)..<(there.upperBound - offset)])
    target.copyBytes(from: bytes[(there.lowerBound - place)..<(there.upperBound - place)])
    return wanted.count
  }
}
