package import AssetLibrary
import Pixels

extension PickerState {
  /// Applies the client's access.
  mutating func authorize(_ status: AuthorizationStatus) -> [PickerEffect] {
    // The status is repeated with every change of the client's access.
    let question = layers.page as? ConsentPage
    if authorization.status == status, layers.showsLibrary || question != nil { return [] }
    if status != .limited { abandonManaging() }
    authorization.status = status
    // A question about a change is about what is accessible still; any other is pointless now.
    if let question, !question.asksToSeePhotos, [.authorized, .limited].contains(status) {
      return openLibrary(with: status)
    }
    showPage(of: status)
    return (question == nil ? [] : [.answerConsent(nil)]) + openLibrary(with: status)
  }

  /// Shows the photos that are accessible with a status.
  private mutating func openLibrary(with status: AuthorizationStatus) -> [PickerEffect] {
    switch status {
    case .notDetermined, .denied, .restricted: return []
    case .authorized:
      if options.opening.endsWithAccess { return [.finish(.accessChosen)] }
      return begin()
    case .limited:
      guard options.opening.choosesAccess || authorization.choosesAccess else { return begin() }
      authorization.choosesAccess = false
      return manageAccess()
    }
  }

  /// Shows the album that the caller wants to start with.
  private mutating func begin() -> [PickerEffect] {
    guard let album = options.opening.collection, !sidebar.hasOpenedInitialAlbum else { return fetch() }
    sidebar.hasOpenedInitialAlbum = true
    sidebar.target = .collection(album.id)
    let effects = open(sidebar.target)
    library.title = album.title
    return effects
  }

  /// Starts the choice of the accessible photos.
  mutating func manageAccess() -> [PickerEffect] {
    guard authorization.status == .limited else {
      return status.showNotice("All photos are accessible: nothing to choose", .dim)
    }
    guard authorization.mode == .picking else { return [] }
    picks.strip.close()
    picks.beginManaging()
    changeMode(.managing)
    preview.leaveFullScreen()
    return open(.recents, remembers: false)
  }

  /// Ends the choice if access was changed elsewhere and there is nothing left to choose.
  private mutating func abandonManaging() {
    guard authorization.mode == .managing else { return }
    _ = endManaging(keeping: false)
  }

  /// Counts for one mode are invalid for the other.
  private mutating func changeMode(_ mode: AccessMode) {
    authorization.mode = mode
    sidebar.forgetCounts()
    grid.burstCounts.markStale()
  }

  /// Ends the choice of accessible photos, and applies it if `isKept`.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    // The allowed photos are not marked yet, so that the selection is not complete.
    if isKept, options.opening.endsWithAccess, picks.pendingAllowed == nil { return [] }
    picks.strip.close()
    var effects: [PickerEffect] = []
    if let chosen = picks.endManaging(keeping: isKept, options.configuration) {
      authorization.allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    changeMode(.picking)
    if options.opening.endsWithAccess { return effects + [.finish(isKept ? .accessChosen : .cancelled)] }
    return effects + open(.recents, remembers: false)
  }
}

/// The page that is shown until access is known.
struct OpeningPage: Layer {
  let kind = LayerKind.page

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(_, .close), .key(_, .cancel): .handled([.finish(.cancelled)])
    case .key, .mouse, .paste: .handled([])
    }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    frame.putMessage(["Opening the photo library…"], in: picker.layout, style: .dim)
  }
}

/// What the user is asked about a client.
package enum ConsentQuestion: Hashable, Sendable {
  /// Whether it may see or save photos.
  case access(ConsentRequest)
  /// Whether it may make changes.
  case change(ChangeConsentRequest)

  fileprivate var asksToSeePhotos: Bool {
    if case .access(let request) = self { request.level != .addOnly } else { false }
  }

  fileprivate var answers: [ConsentDecision] {
    switch self {
    case .access(let request): ConsentDecision.answers(to: request.level)
    case .change: [.allowFullAccess, .deny]
    }
  }

  fileprivate var purpose: String? {
    switch self {
    case .access(let request): request.purpose
    case .change(let request): request.purpose
    }
  }

  fileprivate var text: String {
    switch self {
    case .access(let request):
      "“\(request.client)” would like to \(request.level == .addOnly ? "add to your photos" : "see your photos")"
    case .change(var request):
      {
        request.client = "“\(request.client)”"
        return request.text
      }()
    }
  }
}

/// The consent prompt for a client; Enter gives the safest answer by default.
struct ConsentPage: Layer {
  let kind = LayerKind.page
  private let question: ConsentQuestion
  private var choice = ConsentDecision.deny

  init(_ question: ConsentQuestion) { self.question = question }

  /// Whether the client wants to change the library that it can see already.
  private var isAboutChange: Bool { if case .change = question { true } else { false } }

  /// Whether the client wants to see photos, so that nothing may be shown behind the prompt yet.
  var asksToSeePhotos: Bool { question.asksToSeePhotos }

  private var answers: [ConsentDecision] { question.answers }

  /// Arrows and the wheel choose, Enter answers, and each answer has a letter.
  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(let key, let command): return press(key, command, in: &picker)
    case .mouse(let event):
      if event.action == .wheelUp { choose(-1) }
      if event.action == .wheelDown { choose(1) }
      return .handled([])
    case .paste: return .handled([])
    }
  }

  private mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    if case .character(let letter) = key, let answer = answers.first(where: { $0.letter == letter }) {
      return decide(answer, in: &picker)
    }
    switch command {
    case .up, .left, .previousPane: choose(-1)
    case .down, .right, .nextPane: choose(1)
    case .confirm: return decide(choice, in: &picker)
    // A question about a change comes in the middle of picking, which goes on.
    case .close, .cancel:
      return isAboutChange ? decide(.deny, in: &picker) : .handled([.finish(.cancelled)])
    default: break
    }
    return .handled([])
  }

  private mutating func choose(_ step: Int) {
    let index = answers.firstIndex(of: choice) ?? 0
    choice = answers[max(0, min(answers.count - 1, index + step))]
  }

  private func decide(_ decision: ConsentDecision, in picker: inout PickerState) -> Handled {
    // Selecting photos opens the choice of accessible photos.
    if decision == .selectPhotos { picker.authorization.choosesAccess = true }
    picker.showPage(of: asksToSeePhotos ? .notDetermined : picker.authorization.status)
    return .closed([.answerConsent(decision)])
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    var lines: [(DisplayText, TextStyle)] = []
    let width = min(64, frame.size.columns - 6)
    lines += DisplayText(question.text).wrapped(to: width).map { ($0, .bold) }
    if let purpose = question.purpose {
      lines += DisplayText("“\(purpose)”").wrapped(to: width).map { ($0, .plain) }
    }
    // The answers take precedence over the text: the user must see them all.
    lines = Array(lines.prefix(max(0, frame.size.rows - 4 - 1 - answers.count)))
    let inner: CellRect
    if lines.isEmpty {
      frame.put(DisplayText(question.text), row: 0, column: 1, limit: frame.size.columns - 2, style: .bold)
      inner = CellRect(column: 1, row: 0, columns: frame.size.columns - 2, rows: frame.size.rows)
    } else {
      let box = OverlayBox(
        title: "Photos",
        footer: (picker.options.keyLabel(.up) ?? "")
          + picker.options.keyLabel(
            [.down: "choose", .confirm: "answer", .close: "cancel"], separator: "   "),
        width: width, height: lines.count + 1 + answers.count, screen: frame.size)
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
        answer.words(for: question), row: row, column: inner.column + 4, limit: inner.columns - 4,
        style: style)
    }
  }
}

/// The page that is shown if access is denied or restricted; any key leaves.
struct RefusalPage: Layer {
  let kind = LayerKind.page
  private let status: AuthorizationStatus

  init(_ status: AuthorizationStatus) { self.status = status }

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    if case .key = input { .handled([.finish(.refused(status))]) } else { .handled([]) }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let client = picker.options.client
    let area = CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows)
    // The folders that the photos come from.
    let folder: [(text: String, style: TextStyle)] =
      picker.options.folderWords.map { [("in \($0)", .plain)] } ?? []
    let end: [(text: String, style: TextStyle)] = [("", .plain), ("Press any key", .dim)]
    let lines: [(text: String, style: TextStyle)] =
      status == .restricted
      ? [("Access to photos is restricted", TextStyle(.warning, bold: true))] + folder + [
        ("", .plain),
        (
          "A policy on this machine blocks “\(client.name)” from your photos. It can't be changed here.",
          .plain
        ),
      ]
      : [("“\(client.name)” may not see your photos", TextStyle(.warning, bold: true))] + folder + [
        ("", .plain),
        (
          client.grantCommand == nil
            ? "Access was denied for this run. To allow it, run:"
            : "Access was denied. To allow it:", .plain
        ),
        (client.grantCommand ?? "tpick --authorize limited", .accent),
      ]
    frame.putMessage(lines + end, in: area)
  }
}

extension PickerState {
  /// Shows the library, or the page that replaces it.
  fileprivate mutating func showPage(of status: AuthorizationStatus) {
    switch status {
    case .notDetermined: layers.page = OpeningPage()
    case .denied, .restricted: layers.page = RefusalPage(status)
    case .authorized, .limited: layers.page = nil
    }
  }
}

extension ConsentDecision {
  /// The key that gives this answer.
  fileprivate var letter: Character {
    switch self {
    case .selectPhotos: "s"
    case .allowFullAccess: "f"
    case .deny: "d"
    }
  }

  fileprivate func words(for question: ConsentQuestion) -> String {
    switch self {
    case .selectPhotos: "Select Photos…"
    case .allowFullAccess: question.asksToSeePhotos ? "Allow Full Access" : "Allow"
    case .deny: "Don't Allow"
    }
  }
}

/// Whose access applies to a query.
package enum AccessMode: Hashable, Sendable {
  /// The client's access, limited to what it was granted.
  case picking
  /// The user's own access to everything, while choosing the accessible photos.
  case managing
}

/// The client's access, and the state of the user's choice.
struct AuthorizationState: Sendable {
  var status = AuthorizationStatus.notDetermined
  /// What picking photos means.
  var mode = AccessMode.picking
  /// The photos that the client may see under limited access.
  var allowed: Set<LocalIdentifier> = []
  /// Whether the user wants to choose the accessible photos, which the library then opens with.
  var choosesAccess = false
}
