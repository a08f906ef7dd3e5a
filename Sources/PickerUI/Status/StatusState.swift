/// What the last line reports: a notice, long-running work.
struct StatusState: Sendable {
  /// A short message to the user.
  struct Notice: Hashable, Sendable {
    var text: String
    var tone: TextStyle.Tone
    /// Whether it asks whether to leave and lose picks.
    var asksToLeave = false
  }

  var notice: Notice?
  var noticeGeneration = 0
  /// The name of what stands in for pictures, where that was said.
  var toldFallback: String?
  /// Whether it was said, after a key that does nothing, where the keys are.
  var hasToldKeys = false
  /// Long-running work outside of the picker, in the order in which it began.
  var works: [Work] = []
  /// The works that were told to stop and have not ended yet.
  var stoppedWorks: Set<Work.ID> = []
}

extension StatusState {
  /// How long a notice is shown, in milliseconds.
  static let noticeDuration = 5000
  /// How long work has to take before it is shown, in seconds.
  static let workDelay = 1.0
  /// How long work has to take for its end to ring the bell, in seconds.
  static let bellThreshold = 10.0

  /// Shows a notice until its time is up or the next input.
  /// - Parameter ringsBell: whether notices ring the bell; those with the tone `dim` never do.
  mutating func showNotice(_ text: String, _ tone: TextStyle.Tone, ringsBell: Bool) -> [PickerEffect] {
    notice = Notice(text: text, tone: tone)
    noticeGeneration += 1
    let timer = PickerEffect.startTimer(
      .notice(generation: noticeGeneration), milliseconds: Self.noticeDuration)
    return ringsBell && tone != .dim ? [.ring, timer] : [timer]
  }

  /// Adds new work, or updates the progress of known work.
  mutating func update(_ work: Work) {
    if let index = works.firstIndex(where: { $0.id == work.id }) {
      works[index] = work
    } else {
      works.append(work)
    }
  }

  /// Removes work that has ended.
  /// - Returns: its last known progress; nil if it ended before any was reported.
  mutating func end(_ id: Work.ID) -> Work? {
    defer {
      works.removeAll { $0.id == id }
      stoppedWorks.remove(id)
    }
    return works.first { $0.id == id }
  }

  /// Whether work can be stopped and was not told to yet.
  func canStop(_ work: Work) -> Bool { work.isStoppable && !stoppedWorks.contains(work.id) }

  /// The work that Esc stops before it closes anything.
  var stoppableWork: Work? { works.last(where: canStop) }

  /// The work to show in the last line: the latest one, else the library scan.
  func shownWork(reading: Work?) -> Work? {
    if let work = works.last {
      return work.elapsed >= Self.workDelay || work.isStoppable ? work : nil
    }
    return reading
  }

  mutating func stop(_ work: Work) -> [PickerEffect] {
    stoppedWorks.insert(work.id)
    return [.stopWork(work.id)]
  }
}
