import AssetLibrary
import Pixels

extension PickerState {
  /// The width of the progress bar in cells.
  private static let barColumns = 12

  /// The title, progress bar, amount and time of work; if they don't fit, the time is dropped first, then the
  /// bar, then the bytes that go with the amount, then the amount.
  func workParts(_ work: Work, width: Int) -> [(text: String, style: TextStyle)] {
    let title = status.stoppedWorks.contains(work.id) ? "stopping" : work.title
    var parts: [(text: String, style: TextStyle)] = [(title, .plain)]
    var left = width - DisplayText(title).width
    var hasAmount = false
    if let amount = amounts(of: work).first(where: { DisplayText($0).width <= left }) {
      parts.append((amount, .dim))
      left -= DisplayText(amount).width
      hasAmount = true
    }
    if let fraction = work.completedFraction, left >= Self.barColumns + 1 {
      let full = Int((fraction * Double(Self.barColumns)).rounded(.down))
      let bar = [
        (" " + String(repeating: symbols.grid.position, count: full), TextStyle.progress),
        (String(repeating: symbols.lines.horizontal, count: Self.barColumns - full), TextStyle.rule),
      ]
      parts.insert(contentsOf: bar, at: 1)
      left -= Self.barColumns + 1
    }
    let time = time(of: work)
    if hasAmount, !time.isEmpty, DisplayText(time).width + 3 <= left { parts.append((" · \(time)", .dim)) }
    return parts
  }

  /// How much is done, in more words and in fewer.
  private func amounts(of work: Work) -> [String] {
    let amount = " " + amount(of: work)
    return work.bytes > 0 ? ["\(amount) · \(options.locale.size(work.bytes))", amount] : [amount]
  }

  private func amount(of work: Work) -> String {
    let text = { (value: Int) in
      work.unit == .bytes ? options.locale.size(Int64(value)) : options.locale.number(value)
    }
    if let total = work.total { return "\(text(work.done)) of \(text(total))" }
    return work.unit == .bytes ? text(work.done) : options.locale.count(work.done, "photo", "photos")
  }

  private func time(of work: Work) -> String {
    if let remaining = work.remaining { return "\(options.locale.duration(remaining)) left" }
    return work.elapsed >= 1 ? options.locale.duration(work.elapsed) : ""
  }
}

extension PickerState {
  var shownWork: Work? {
    layers[Delivery.self]?.work ?? layers[OriginalDownloads.self]?.work ?? status.shownWork(
      reading: longReading)
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
