/// What the last line tells: a word to the user, long work.
struct StatusState: Sendable {
  /// A word to the user.
  struct Notice: Hashable, Sendable {
    var text: String
    var tone: TextStyle.Tone
  }

  var notice: Notice?
  var noticeGeneration = 0
  /// Long work outside of the picker, what was begun last at the end.
  var works: [Work] = []
  /// What of it was told to stop.
  var stoppedWorks: Set<Work.ID> = []
}

extension StatusState {
  /// How long a word to the user stays, in milliseconds.
  static let noticePatience = 5000
  /// Work that takes longer than this is worth a word, in seconds.
  static let workPatience = 1.0
  /// Whoever waited longer than this may look elsewhere: the end is heard, in seconds.
  static let longWork = 10.0

  /// Shows a word to the user, until it has been read or something else is pressed.
  /// - Parameter rings: whether it is heard as well, unless it is said in passing.
  mutating func say(_ text: String, _ tone: TextStyle.Tone, rings: Bool) -> [PickerEffect] {
    notice = Notice(text: text, tone: tone)
    noticeGeneration += 1
    let timer = PickerEffect.startTimer(
      .notice(generation: noticeGeneration), milliseconds: Self.noticePatience)
    return rings && tone != .dim ? [.ring, timer] : [timer]
  }

  /// Work has begun or come further.
  mutating func update(_ work: Work) {
    if let index = works.firstIndex(where: { $0.id == work.id }) {
      works[index] = work
    } else {
      works.append(work)
    }
  }

  /// Work has ended; it may have been too short to be told of before.
  /// - Returns: how far it had come, where it was told of.
  mutating func end(_ id: Work.ID) -> Work? {
    defer {
      works.removeAll { $0.id == id }
      stoppedWorks.remove(id)
    }
    return works.first { $0.id == id }
  }

  /// Whether the user could still stop some work.
  func canStop(_ work: Work) -> Bool { work.isStoppable && !stoppedWorks.contains(work.id) }

  /// What Esc stops before it closes anything.
  var stoppableWork: Work? { works.last(where: canStop) }

  /// What the last line tells of: what was begun last, else the reading of the library.
  func shownWork(reading: Work?) -> Work? {
    if let work = works.last {
      return work.elapsed >= Self.workPatience || work.isStoppable ? work : nil
    }
    return reading
  }

  mutating func stop(_ work: Work) -> [PickerEffect] {
    stoppedWorks.insert(work.id)
    return [.stopWork(work.id)]
  }
}
