import AssetLibrary

/// The content of the last line apart from the selection: a notice, and long-running work.
struct StatusState: Sendable {
  /// A short message to the user.
  struct Notice: Hashable, Sendable {
    var text: String
    var tone: TextStyle.Tone
    /// Whether it asks whether to leave and lose picks.
    var asksToLeave = false
  }

  /// Whether notices and the end of long work ring the bell.
  private let ringsBell: Bool
  var notice: Notice?
  private(set) var noticeGeneration = 0
  /// The name of the picture fallback, and the generation of the notice that reported it.
  var reportedFallback: (name: String, generation: Int)?
  /// Whether the key of the help was shown after a key without a meaning.
  var hasShownHelpHint = false
  /// Long-running work outside of the picker, in starting order.
  var works: [Work] = []
  /// Works that are being stopped and have not ended yet.
  var stoppedWorks: Set<Work.ID> = []

  init(ringsBell: Bool = false) {
    self.ringsBell = ringsBell
  }
}

extension StatusState {
  /// Whether the last line asks whether to leave and lose picks.
  var asksToLeave: Bool { notice?.asksToLeave ?? false }

  /// How long a notice is shown, in milliseconds.
  private static let noticeDuration = 5000
  /// How long work has to take before it is shown, in seconds.
  fileprivate static let workDelay = 1.0
  /// How long work has to take for its end to ring the bell, in seconds.
  private static let bellThreshold = 10.0

  /// Shows a notice until its time is up or the next input.
  ///
  /// It rings the bell if notices do; those with the tone `dim` never do.
  mutating func showNotice(_ text: String, _ tone: TextStyle.Tone = .warning) -> [PickerEffect] {
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

  /// Removes work that has ended, and shows its message if there is one.
  mutating func end(_ id: Work.ID, message: String?, hasFailed: Bool) -> [PickerEffect] {
    let work = end(id)
    let notice = message.map { showNotice($0, hasFailed ? .error : .dim) } ?? []
    // The error notice has rung the bell already.
    return notice.contains(.ring) ? notice : (work.map(ring) ?? []) + notice
  }

  /// Rings the bell if work took long.
  func ring(after work: Work) -> [PickerEffect] {
    ringsBell && work.elapsed >= Self.bellThreshold ? [.ring] : []
  }

  /// Rings the bell if the library scan has just completed and took long.
  func ring(after before: LibraryStatus, now: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), now.isComplete, !now.isStopped else { return [] }
    return ring(after: work)
  }

  /// The library scan if Esc can stop it; everything else is closed first.
  func stoppableReading(of library: LibraryStatus) -> Work? {
    Work(long: library).flatMap { canStop($0) ? $0 : nil }
  }

  /// Whether work can be stopped and is not being stopped already.
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

/// A progress report of a long-running operation.
package struct Work: Hashable, Identifiable, Sendable {
  /// What is counted.
  package enum Unit: Hashable, Sendable {
    case photos, bytes
  }

  package var id: String
  /// What is being done, such as "exporting".
  package var title: String
  package var unit: Unit
  /// The completed number of units.
  package var done: Int
  /// nil = unknown.
  package var total: Int?
  /// The bytes written so far, if photos are counted; 0 = unknown.
  package var bytes: Int64 = 0
  /// The completed fraction from 0 to 1, if it is not that of the units.
  package var fraction: Double?
  /// Seconds since the start.
  package var elapsed: Double
  /// Whether the user can stop it.
  package var isStoppable: Bool

  package init(
    id: String, title: String, unit: Unit = .photos, done: Int = 0, total: Int? = nil,
    fraction: Double? = nil, elapsed: Double = 0, isStoppable: Bool = false
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.done = done
    self.total = total
    self.fraction = fraction
    self.elapsed = elapsed
    self.isStoppable = isStoppable
  }

  /// The completed fraction from 0 to 1; nil if unknown.
  var completedFraction: Double? {
    let ofTotal = total.flatMap { $0 > 0 ? Double(done) / Double($0) : nil }
    return (fraction ?? ofTotal).map { max(0, min(1, $0)) }
  }

  /// The estimated remaining seconds at the current rate; nil if it is too early to tell.
  var remaining: Double? {
    guard let done = completedFraction, done >= 0.02, done < 1, elapsed >= 2 else { return nil }
    return elapsed * (1 - done) / done
  }
}

extension Work {
  /// The identifier of the library scan.
  package static let reading: ID = "library"

  /// The library scan, once it has taken long enough to be shown.
  init?(long library: LibraryStatus) {
    self.init(library)
    guard elapsed >= StatusState.workDelay else { return nil }
  }

  /// The library scan; nil if none is running.
  init?(_ library: LibraryStatus) {
    guard let progress = library.progress else { return nil }
    switch progress.phase {
    case .reading:
      self.init(
        id: Self.reading, title: "reading", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    case .describing:
      self.init(
        id: Self.reading, title: "reading metadata", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    }
  }
}

extension Work {
  /// The work that the last line and the window's title show.
  static func shown(in picker: PickerState) -> Work? {
    picker.layers[Delivery.self]?.work ?? picker.layers[OriginalDownloads.self]?.work
      ?? picker.status.shownWork(reading: Work(long: picker.library.status)) ?? previewDownload(picker)
  }

  /// The download of the previewed original.
  private static func previewDownload(_ picker: PickerState) -> Work? {
    guard let asset = picker.current, let fraction = picker.pictures.downloads[asset.id] else { return nil }
    var work = Work(
      id: Work.downloads, title: "downloading", unit: .bytes,
      done: Int(saturating: fraction * Double(asset.byteCount)),
      total: Int(asset.byteCount))
    work.fraction = fraction
    return work
  }
}
