import Synchronization
import System

/// The parts of a library that changed, and that an observer must fetch again.
///
/// A notification covers everything since the one before. `AssetManager.changeDetails` compares a fetch result with its
/// successor.
public struct LibraryChange: OptionSet, Hashable, Sendable {
  /// The bits of the parts.
  public let rawValue: UInt8

  /// Creates a set of parts from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Assets or collections: fetches may return other results.
  public static let contents = LibraryChange(rawValue: 1 << 0)
  /// `libraryStatus`: the progress of reading, issues and notes.
  public static let status = LibraryChange(rawValue: 1 << 1)
  /// The client's permission: fetches may return other results.
  public static let access = LibraryChange(rawValue: 1 << 2)
}

extension LibraryChange: CustomStringConvertible {
  /// The parts as words, as "contents, status"; "nothing" for no part.
  public var description: String {
    words([.contents: "contents", .status: "status", .access: "access"], none: "nothing")
  }
}

/// Identifies a registered observer.
public struct ObserverID: Hashable, Sendable {
  /// The number of the observer, unique within its library.
  public let rawValue: UInt64

  /// Creates an identifier from its number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// The observers of a library, in the order of their registration.
///
/// For stores of your own. All methods are safe to call from any thread.
public final class ChangeObservers: Sendable {
  private struct Registered {
    var lastID: UInt64 = 0
    var handlers: [(id: ObserverID, handler: @Sendable (LibraryChange) -> Void)] = []
    /// The threads that are calling handlers, with what these have changed.
    var news: [pthread_t: LibraryChange] = [:]
  }

  private let registered = Mutex(Registered())

  /// Creates a list without observers.
  public init() {}

  /// Adds an observer.
  /// - Parameter handler: called on the thread that calls `notify`.
  /// - Returns: the identifier for `remove`.
  public func add(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    registered.withLock { registered in
      registered.lastID += 1
      let id = ObserverID(rawValue: registered.lastID)
      registered.handlers.append((id, handler))
      return id
    }
  }

  /// Removes an observer; a running call of its handler on another thread continues.
  public func remove(_ observer: ObserverID) {
    registered.withLock { $0.handlers.removeAll { $0.id == observer } }
  }

  /// Calls all observers on the current thread.
  ///
  /// If an observer causes another change, that is notified after all have been called for this one: all observers
  /// learn of changes in the same order.
  public func notify(_ change: LibraryChange) {
    let thread = pthread_self()
    let isFirst = registered.withLock { registered in
      defer { registered.news[thread, default: []].formUnion(change) }
      return registered.news[thread] == nil
    }
    guard isFirst else { return }
    while let (change, handlers) = next(of: thread) {
      for observer in handlers { observer.handler(change) }
    }
  }

  private func next(
    of thread: pthread_t
  ) -> (change: LibraryChange, handlers: [(id: ObserverID, handler: @Sendable (LibraryChange) -> Void)])? {
    registered.withLock { registered in
      guard let news = registered.news[thread], !news.isEmpty else {
        registered.news[thread] = nil
        return nil
      }
      registered.news[thread] = []
      return (news, registered.handlers)
    }
  }
}
