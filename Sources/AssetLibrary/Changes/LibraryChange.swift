import Synchronization

/// What changed in a library, and with it what an observer has to ask again.
///
/// A notice stands for everything that happened since the one before. What became of a certain answer tells
/// `AssetManager.changeDetails`.
public struct LibraryChange: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Assets or collections: fetches may give something else.
  public static let contents = LibraryChange(rawValue: 1 << 0)
  /// How far the library is known, or what is said of it as a whole.
  public static let status = LibraryChange(rawValue: 1 << 1)
  /// What the client may see: fetches may give something else.
  public static let access = LibraryChange(rawValue: 1 << 2)
}

/// An observer of a library, as whoever registered it knows it.
public struct ObserverID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// The observers of a library, in the order in which they came.
///
/// Calls may come from any thread.
public final class ChangeObservers: Sendable {
  private struct Registered {
    var lastID: UInt64 = 0
    var handlers: [(id: ObserverID, handler: @Sendable (LibraryChange) -> Void)] = []
  }

  private let registered = Mutex(Registered())

  public init() {}

  public func add(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    registered.withLock { registered in
      registered.lastID += 1
      let id = ObserverID(rawValue: registered.lastID)
      registered.handlers.append((id, handler))
      return id
    }
  }

  /// Removes an observer; a call of it that is under way on another thread goes on.
  public func remove(_ observer: ObserverID) {
    registered.withLock { $0.handlers.removeAll { $0.id == observer } }
  }

  /// Tells all observers, on this thread.
  public func notify(_ change: LibraryChange) {
    for observer in registered.withLock({ $0.handlers }) { observer.handler(change) }
  }
}
