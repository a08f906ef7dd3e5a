import Synchronization

/// Passes a store's notices on as far as whoever listens may hear of them.
///
/// Under limited access a notice that concerns other assets alone would tell of them.
final class ChangeGate: Sendable {
  /// What a client with limited access sees.
  private struct Sight: Equatable {
    var assets: [Asset]
    var status: LibraryStatus
  }

  private let observers: ChangeObservers
  private let look: Look
  private let last: Mutex<Sight?>

  /// What the gate asks about the library as it is seen.
  typealias Look = @Sendable () -> (assets: [Asset], status: LibraryStatus)?

  /// - Parameter look: what is seen under limited access; nil where everything is.
  init(_ observers: ChangeObservers, look: @escaping Look) {
    self.observers = observers
    self.look = look
    last = Mutex(nil)
    reset()
  }

  /// The permission changed: what is seen from here on is compared with what is seen now.
  func reset() {
    let sight = sight
    last.withLock { $0 = sight }
  }

  func pass(_ change: LibraryChange) {
    guard let sight else { return observers.notify(change) }
    let before = last.withLock { last in
      defer { last = sight }
      return last
    }
    var change = change
    if before?.assets == sight.assets { change.remove(.contents) }
    if before?.status == sight.status { change.remove(.status) }
    if !change.isEmpty { observers.notify(change) }
  }

  private var sight: Sight? { look().map { Sight(assets: $0.assets, status: $0.status) } }
}
