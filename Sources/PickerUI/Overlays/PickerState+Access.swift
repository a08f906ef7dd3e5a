import AssetLibrary
import Pixels

extension PickerState {
  /// Puts a consent request before everything else; the safest answer is the one that Enter gives.
  mutating func ask(_ request: ConsentRequest) {
    page = .consent(request, choice: .deny)
  }

  /// What is shown by what was decided on seeing photos.
  var pageOfStatus: Page {
    switch authorization.status {
    case .notDetermined: .opening
    case .denied, .restricted: .refused(authorization.status)
    case .authorized, .limited: .library
    }
  }

  /// Starts the choice of the photos that the client may see.
  mutating func manageAccess() -> [PickerEffect] {
    guard authorization.status == .limited else {
      return showNotice("you can see every photo: there is nothing to choose", .dim)
    }
    guard authorization.mode == .picking else { return [] }
    closeStrip()
    picks.range = nil
    authorization.savedSelection = picks.selection
    picks.selection = Selection(limit: 0)
    authorization.pendingAllowed = nil
    changeMode(.managing)
    preview.isFullScreen = false
    return open(.recents, remembers: false)
  }

  /// Ends the choice where there is nothing to choose any more: the user decided otherwise elsewhere.
  mutating func abandonManaging() {
    guard authorization.mode == .managing else { return }
    _ = endManaging(keeping: false)
  }

  /// What was counted for one pair of eyes is nothing to the other.
  private mutating func changeMode(_ mode: AccessMode) {
    authorization.mode = mode
    sidebar.forgetCounts()
    grid.burstCounts.markStale()
  }

  /// Selects the allowed photos among those fetched so far, so that only the user can revoke access.
  ///
  /// Waits for a running bulk selection, whose result would otherwise replace them.
  mutating func selectAllowed() {
    var waiting = authorization.pendingAllowed ?? authorization.allowed
    if picks.bulk == nil, !waiting.isEmpty {
      waiting = waiting.filter { !picks.selection.contains($0) }
      let found = library.assets.indices.filter { waiting.remove(library.assets.identifier(at: $0)) != nil }
      // Cancelling a range would also remove what was added after it began.
      if !found.isEmpty { endRange() }
      for index in found { _ = picks.selection.add(library.assets[index]) }
    }
    authorization.pendingAllowed = waiting
  }

  /// Ends the choice of accessible photos, and applies it if `isKept`.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    // What is allowed is not marked yet: nothing could be meant by it.
    if isKept, options.opening.endsWithAccess, authorization.pendingAllowed == nil { return [] }
    closeStrip()
    picks.range = nil
    var effects: [PickerEffect] = []
    if isKept, let pendingAllowed = authorization.pendingAllowed {
      let chosen = pendingAllowed.union(picks.selection.identifiers)
      authorization.savedSelection?.keep { chosen.contains($0) }
      picks.history.keep { chosen.contains($0) }
      authorization.allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    picks.selection = authorization.savedSelection ?? Selection(options.configuration)
    picks.history.adopt(picks.selection)
    authorization.savedSelection = nil
    authorization.pendingAllowed = nil
    changeMode(.picking)
    if options.opening.endsWithAccess { return effects + [.finish(isKept ? .accessChosen : .cancelled)] }
    return effects + open(.recents, remembers: false)
  }
}

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

/// Whose eyes a question to the library is for.
package enum AccessMode: Hashable, Sendable {
  /// The client's, who gets what is picked: confined to what it was granted.
  case picking
  /// The user's own, while choosing the photos that the client may see: everything.
  case managing
}

/// What the client may see, and the state of the user's choice.
struct AuthorizationState: Sendable {
  var status = AuthorizationStatus.notDetermined
  /// What selecting photos means.
  var mode = AccessMode.picking
  /// The photos that the client may see under limited access.
  var allowed: Set<LocalIdentifier> = []
  /// The client's selection while the mode is `managing`.
  var savedSelection: Selection?
  /// In the mode `managing`: the allowed photos that no fetch has returned yet; nil before the first one.
  var pendingAllowed: Set<LocalIdentifier>?
  /// Whether the user wants to select the photos: the library opens with that.
  var choosesAccess = false
}
