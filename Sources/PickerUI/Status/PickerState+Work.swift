import AssetLibrary

extension PickerState {
  var shownWork: Work? { status.shownWork(reading: longReading) }

  /// The reading of the library, once it takes long.
  private var longReading: Work? {
    Work(library.status).flatMap { $0.elapsed >= StatusState.workPatience ? $0 : nil }
  }

  /// The reading of the library, where Esc stops it once there is nothing else to close.
  var stoppableReading: Work? { longReading.flatMap { status.canStop($0) ? $0 : nil } }

  /// Work has ended, with words for the user or without.
  mutating func end(_ id: Work.ID, _ words: String?, _ hasFailed: Bool) -> [PickerEffect] {
    let work = status.end(id)
    let said = words.map { say($0, hasFailed ? .error : .dim) } ?? []
    // A failure is heard already.
    return said.contains(.ring) ? said : (work.map(ring) ?? []) + said
  }

  /// The reading of the library has come further, or to its end.
  func ring(after before: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), library.status.isComplete, !library.status.isStopped else { return [] }
    return ring(after: work)
  }

  private func ring(after work: Work) -> [PickerEffect] {
    options.rings && work.elapsed >= StatusState.longWork ? [.ring] : []
  }

  /// Why not all of the library is there, and what helps.
  var stoppedWords: String {
    "the reading was stopped" + (keyWords(.redraw).map { ": \($0) reads on" } ?? "")
  }
}
