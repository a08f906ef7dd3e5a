import AssetLibrary

extension PickerState {
  var shownWork: Work? {
    handover.delivery?.work ?? handover.downloads?.work ?? status.shownWork(reading: longReading)
      ?? previewDownload
  }

  /// The download of the original that is looked at.
  private var previewDownload: Work? {
    guard let asset = current, let fraction = pictures.downloads[asset.id] else { return nil }
    var work = Work(
      id: Work.downloads, title: "downloading", unit: .bytes,
      done: Int(saturating: fraction * Double(asset.byteCount)),
      total: Int(asset.byteCount))
    work.fraction = fraction
    return work
  }

  /// The library scan, once it has taken long enough to be shown.
  private var longReading: Work? {
    Work(library.status).flatMap { $0.elapsed >= StatusState.workDelay ? $0 : nil }
  }

  /// The library scan if Esc can stop it; everything else is closed first.
  var stoppableReading: Work? { longReading.flatMap { status.canStop($0) ? $0 : nil } }

  /// Removes work that has ended, and shows its message if there is one.
  mutating func endWork(_ id: Work.ID, message: String?, hasFailed: Bool) -> [PickerEffect] {
    let work = status.end(id)
    let notice = message.map { showNotice($0, hasFailed ? .error : .dim) } ?? []
    // The error notice has rung the bell already.
    return notice.contains(.ring) ? notice : (work.map(ring) ?? []) + notice
  }

  /// Rings the bell if the library scan has just completed and took long.
  func ring(after before: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), library.status.isComplete, !library.status.isStopped else { return [] }
    return ring(after: work)
  }

  func ring(after work: Work) -> [PickerEffect] {
    options.ringsBell && work.elapsed >= StatusState.bellThreshold ? [.ring] : []
  }

  /// Whether there are sources that could not be read, and nobody tries again already.
  var canTryAgain: Bool { library.status.isComplete && !library.status.unreadableSources.isEmpty }

  /// Says which sources could not be read, and which key tries again; empty where all could be.
  var unreadableMessage: String {
    guard let first = library.status.unreadableSources.first else { return "" }
    let others = library.status.unreadableSources.count - 1
    return first.description + (others > 0 ? " · \(options.locale.number(others)) more" : "")
      + (keyLabel(.redraw).map { " · \($0) tries again" } ?? "")
  }

  /// Says that the library is incomplete, and which key resumes the scan.
  var stoppedMessage: String {
    "reading the library was stopped" + (keyLabel(.redraw).map { ": \($0) resumes" } ?? "")
  }
}
