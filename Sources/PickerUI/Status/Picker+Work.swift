import AssetLibrary

extension PickerState {
  /// Work that takes longer than this is worth a word, in seconds.
  static let workPatience = 1.0
  /// Whoever waited longer than this may look elsewhere: the end is heard, in seconds.
  static let longWork = 10.0

  /// What the last line tells of: what was begun last, else the reading of the library.
  var shownWork: Work? {
    if let work = works.last { return work.elapsed >= Self.workPatience || work.isStoppable ? work : nil }
    return longReading
  }

  /// The reading of the library, once it takes long.
  private var longReading: Work? { Work(library).flatMap { $0.elapsed >= Self.workPatience ? $0 : nil } }

  mutating func take(_ work: Work) {
    if let index = works.firstIndex(where: { $0.id == work.id }) {
      works[index] = work
    } else {
      works.append(work)
    }
  }

  /// Work has ended, with words for the user or without; it may have been too short to be told of before.
  mutating func end(_ id: Work.ID, _ words: String?, _ hasFailed: Bool) -> [PickerEffect] {
    let work = works.first { $0.id == id }
    works.removeAll { $0.id == id }
    stoppedWorks.remove(id)
    let said = words.map { say($0, hasFailed ? .error : .dim) } ?? []
    // A failure is heard already.
    return said.contains(.ring) ? said : (work.map(ring) ?? []) + said
  }

  /// The reading of the library has come further, or to its end.
  func ring(after before: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), library.isComplete, !library.isStopped else { return [] }
    return ring(after: work)
  }

  private func ring(after work: Work) -> [PickerEffect] {
    options.rings && work.elapsed >= Self.longWork ? [.ring] : []
  }

  /// What Esc stops before it closes anything.
  var stoppableWork: Work? { works.last { $0.isStoppable && !stoppedWorks.contains($0.id) } }

  /// The reading of the library, where Esc stops it once there is nothing else to close.
  var stoppableReading: Work? {
    longReading.flatMap { $0.isStoppable && !stoppedWorks.contains($0.id) ? $0 : nil }
  }

  mutating func stop(_ work: Work) -> [PickerEffect] {
    stoppedWorks.insert(work.id)
    return [.stopWork(work.id)]
  }

  /// Why not all of the library is there, and what helps.
  var stoppedWords: String {
    "the reading was stopped" + (keyWords(.redraw).map { ": \($0) reads on" } ?? "")
  }
}
