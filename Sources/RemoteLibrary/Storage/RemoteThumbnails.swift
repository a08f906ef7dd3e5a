import AssetLibrary
import FolderLibrary
import Synchronization

/// The thumbnails of remote files that are on this machine.
///
/// Avoids database queries: an embedded thumbnail is assumed to be present until a query fails to find it.
/// Any thread may call.
final class RemoteThumbnails: Sendable {
  private struct State {
    /// Versions with a thumbnail that was made from the file.
    var made: Set<UInt64> = []
    /// Versions whose embedded thumbnail was removed to make room for others.
    var lost: Set<UInt64> = []
    var observer: (@Sendable () -> Void)?
  }

  private let database: RemoteDatabase
  private let state: Mutex<State>

  init(_ database: RemoteDatabase) {
    self.database = database
    state = Mutex(State(made: database.madeThumbnails))
  }

  /// Sets a handler that is called on any thread after each change of the result of `copy`.
  func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

  /// Copies the state to the library.
  func copy(to copies: inout RemoteCopies) {
    (copies.madeThumbnails, copies.lostThumbnails) = state.withLock { ($0.made, $0.lost) }
  }

  /// Stores the thumbnail of a file version.
  /// - Parameter makesRoom: whether to remove the oldest thumbnails if the limit is reached; if false, the
  ///   thumbnail is not stored then.
  /// - Returns: whether it was stored.
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

  /// Returns the thumbnail of a file version; nil if there is none, which is then remembered.
  func thumbnail(of version: UInt64) -> RemoteDatabase.Thumbnail? {
    if let thumbnail = database.thumbnail(of: version) { return thumbnail }
    change { state in
      let wasMade = state.made.remove(version) != nil
      return state.lost.insert(version).inserted || wasMade
    }
    return nil
  }

  /// - Parameter body: returns whether it changed anything.
  private func change(_ body: (inout State) -> Bool) {
    let observer = state.withLock { state in body(&state) ? state.observer : nil }
    observer?()
  }
}

/// Reads the embedded thumbnail of a file that is not on this machine, at its offset in the file.
///
/// All other bytes read as zero.
struct ThumbnailReader: ResourceReader {
  private let bytes: [UInt8]
  private let place: Int
  let count: Int

  /// - Parameters:
  ///   - place: the offset of the thumbnail in the file.
  ///   - count: the size of the whole file in bytes.
  init(_ bytes: [UInt8], at place: Int, of count: Int) {
    // If the file's size is unknown, it includes at least the thumbnail.
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
