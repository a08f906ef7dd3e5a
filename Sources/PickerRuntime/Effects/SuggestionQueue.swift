import Dispatch
import PickerUI
import Synchronization

/// Looks for suggestions on a thread of its own, so that neither keys nor fetches wait for their counts.
///
/// Only the last question is answered: the others are stale, also while they are being answered.
final class SuggestionQueue: Sendable {
  private let library: PickerLibrary
  private let queue = DispatchQueue(label: "tpick.suggestions")
  /// The number of the last question.
  private let last = Mutex(0)

  init(_ library: PickerLibrary) {
    self.library = library
  }

  /// Calls `deliver` with the answer, on the queue's thread.
  func answer(_ query: SuggestionQuery, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    let number = last.withLock { last in
      last += 1
      return last
    }
    queue.async { [self] in
      let isStale = { self.last.withLock { $0 != number } }
      if isStale() { return }
      let suggestions = query.suggestions(from: library.manager(for: query.mode), isStale: isStale)
      if isStale() { return }
      deliver(.suggestions(SuggestionAnswer(query: query, suggestions: suggestions)))
    }
  }
}
