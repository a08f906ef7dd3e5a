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
