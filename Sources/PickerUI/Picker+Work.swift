import AssetLibrary

extension PickerState {
  /// Work that takes longer than this is worth a word, in seconds.
  static let workPatience = 1.0
  /// Whoever waited longer than this may look elsewhere: the end is heard, in seconds.
  static let longWork = 10.0

  /// What the last line tells of: what was begun last, else the reading of the library.
  var shownWork: Work? {
    let work = works.last ?? Work(library)
    return work.flatMap { $0.elapsed >= Self.workPatience || $0.isStoppable ? $0 : nil }
  }

  mutating func take(_ work: Work) {
    if let index = works.firstIndex(where: { $0.id == work.id }) {
      works[index] = work
    } else {
      works.append(work)
    }
  }

  /// Work has ended, with words for the user or without.
  mutating func end(_ id: Work.ID, _ words: String?) -> [PickerEffect] {
    guard let work = works.first(where: { $0.id == id }) else { return [] }
    works.removeAll { $0.id == id }
    stoppedWorks.remove(id)
    return ring(after: work) + (words.map { say($0, .dim) } ?? [])
  }

  /// The reading of the library has come further, or to its end.
  func ring(after before: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), library.isComplete else { return [] }
    return ring(after: work)
  }

  private func ring(after work: Work) -> [PickerEffect] {
    options.rings && work.elapsed >= Self.longWork ? [.ring] : []
  }

  /// Whether Esc stops something.
  var stoppableWork: Work? { works.last { $0.isStoppable && !stoppedWorks.contains($0.id) } }

  /// Gives up what was begun last, where that makes sense.
  mutating func stopWork() -> [PickerEffect]? {
    guard let work = stoppableWork else { return nil }
    stoppedWorks.insert(work.id)
    return [.stopWork(work.id)]
  }
}
