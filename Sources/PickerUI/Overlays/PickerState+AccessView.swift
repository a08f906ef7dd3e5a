import AssetLibrary
import Pixels

extension PickerState {
  func drawConsent(
    _ request: ConsentRequest, _ choice: ConsentDecision, on frame: inout ScreenFrame, _ layout: ScreenLayout
  ) {
    var lines: [(DisplayText, TextStyle)] = []
    let width = min(64, frame.size.columns - 6)
    let wish = request.level == .addOnly ? "add to your photos" : "see your photos"
    let question = "“\(request.client)” would like to \(wish)"
    lines += DisplayText(question).wrapped(to: width).map { ($0, .bold) }
    if let purpose = request.purpose {
      lines += DisplayText("“\(purpose)”").wrapped(to: width).map { ($0, .plain) }
    }
    // The answers take precedence over the text: the user must not answer unseen.
    let answers = ConsentDecision.answers(to: request.level)
    let answerCount = answers.count
    lines = Array(lines.prefix(max(0, frame.size.rows - 4 - 1 - answerCount)))
    let inner: CellRect
    if lines.isEmpty {
      frame.put(DisplayText(question), row: 0, column: 1, limit: frame.size.columns - 2, style: .bold)
      inner = CellRect(column: 1, row: 0, columns: frame.size.columns - 2, rows: frame.size.rows)
    } else {
      let box = OverlayBox(
        title: "Photos",
        footer: (keyLabel(.up) ?? "")
          + keyLabel([.down: "choose", .confirm: "answer", .close: "cancel"], separator: "   "),
        width: width, height: lines.count + 1 + answerCount, screen: frame.size)
      frame.draw(box)
      inner = box.inner
    }
    for (offset, line) in lines.enumerated() where offset < inner.rows {
      frame.put(line.0, row: inner.row + offset, column: inner.column, style: line.1)
    }
    for (offset, answer) in answers.enumerated() {
      let row = inner.row + lines.count + 1 + offset
      guard row < inner.endRow else { break }
      let style = TextStyle(answer == choice ? .accent : .plain, reversed: answer == choice)
      if answer == choice {
        frame.fill(
          CellRect(column: inner.column, row: row, columns: inner.columns, rows: 1), FrameCell(style: style))
      }
      frame.put(
        String(answer.letter), row: row, column: inner.column + 1, style: answer == choice ? style : .accent)
      frame.put(
        answer.words(for: request.level), row: row, column: inner.column + 4, limit: inner.columns - 4,
        style: style)
    }
  }

  /// Which photos it is about.
  private var folderLines: [(text: String, style: TextStyle)] {
    folderWords.map { [("in \($0)", .plain)] } ?? []
  }

  func drawRefusal(_ status: AuthorizationStatus, on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let area = CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows)
    let lines: [(text: String, style: TextStyle)] =
      status == .restricted
      ? [
        ("Access to photos is restricted", TextStyle(.warning, bold: true))
      ] + folderLines + [
        ("", .plain),
        (
          "A policy on this machine keeps “\(options.client.name)” from your photos. It can't be changed here.",
          .plain
        ),
        ("", .plain), ("any key leaves", .dim),
      ]
      : [
        ("“\(options.client.name)” may not see your photos", TextStyle(.warning, bold: true))
      ] + folderLines + [
        ("", .plain),
        (
          options.client.grantCommand == nil
            ? "Access was denied for this run. Start it again to allow it:"
            : "Access was denied. To allow it:", .plain
        ),
        (options.client.grantCommand ?? "tpick --authorize limited", .accent), ("", .plain),
        ("any key leaves", .dim),
      ]
    frame.putMessage(lines, in: area)
  }
}

extension ConsentDecision {
  /// The key that answers it.
  var letter: Character {
    switch self {
    case .selectPhotos: "s"
    case .allowFullAccess: "f"
    case .deny: "d"
    }
  }

  fileprivate func words(for level: AccessLevel) -> String {
    switch self {
    case .selectPhotos: "Select Photos…"
    case .allowFullAccess: level == .addOnly ? "Allow" : "Allow Full Access"
    case .deny: "Don't Allow"
    }
  }
}
