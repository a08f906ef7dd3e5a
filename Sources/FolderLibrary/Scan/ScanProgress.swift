import AssetLibrary
import Synchronization

/// How far the first look at a library has come.
///
/// Nothing is counted ahead. Each source has a share of the whole; files that were named one by one have one for
/// every folder they lie in. Of a folder's share each folder in it gets as much as its own files. Folders of years
/// and months make that a good guess, and the sum is right in the end.
final class ScanProgress: Sendable {
  private struct State {
    var phase = LibraryProgress.Phase.reading
    var fraction = 0.0
    var began: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  func begin(_ phase: LibraryProgress.Phase) {
    state.withLock { $0 = State(phase: phase, began: .now) }
  }

  /// Enters that a share of the whole is done.
  func advance(by share: Double) {
    if share > 0 { state.withLock { $0.fraction += share } }
  }

  func end() {
    state.withLock { $0 = State() }
  }

  /// nil before the beginning and after the end.
  var value: LibraryProgress? {
    state.withLock { state in
      guard let began = state.began else { return nil }
      let elapsed = began.duration(to: .now).components
      return LibraryProgress(
        phase: state.phase, fraction: min(1, state.fraction),
        elapsed: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
    }
  }
}
