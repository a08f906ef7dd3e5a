import AssetLibrary
import Pixels

/// The available choices for the format, size and metadata of the result, within the caller's options.
struct RepresentationChoices {
  /// A line below the menu's title.
  enum Line: Hashable {
    case heading(String)
    case choice(RepresentationChoice)
    /// A restriction by the caller, which the user can't change.
    case fact(String)
    case gap
  }

  /// The caller's options, from which the user's choices start.
  let asked: RepresentationOptions
  let chosen: RepresentationOptions
  /// The visible entries, in order.
  let choices: [RepresentationChoice]
  private let facts: [String]

  /// Common sizes for current screens, social networks, and mail.
  private static let sides = [4096, 2048, 1024]
  /// The cells of a line of facts.
  private static let factColumns = 24

  /// - Parameter menu: the typed text; only entries whose titles contain it are listed.
  init(
    asked: RepresentationOptions, chosen: RepresentationOptions, _ menu: MenuState, _ locale: LocaleFormat
  ) {
    self.asked = asked
    self.chosen = chosen
    let modes: [RepresentationMode] = [.current, .automatic, .compatible]
    let smaller = Self.sides.filter { $0 < asked.longestSide ?? .max }
    let strippings = RepresentationOptions.Stripping.allCases.drop { $0 != asked.stripping }
    let all =
      modes.map { RepresentationChoice.mode($0) }
      + ([asked.longestSide] + smaller).map { .longestSide($0) } + strippings.map { .stripping($0) }
      + (asked.removesCaptions || asked.stripping == .all ? [] : [.withoutCaptions])
    choices = menu.matching(all) { "\($0.heading) \($0.title)" }
    var facts: [String] = []
    if let types = asked.acceptedTypes { facts.append("\(types)") }
    if let byteCount = asked.byteCount { facts.append("up to \(locale.size(byteCount))") }
    if let quality = asked.quality { facts.append("JPEG quality \(quality)") }
    if asked.removesCaptions { facts.append("without captions") }
    self.facts =
      menu.text.isEmpty
      ? facts.flatMap { DisplayText($0).wrapped(to: Self.factColumns).map(\.string) } : []
  }

  /// The lines, with gaps between the options if there is room.
  func lines(in rows: Int = 0) -> [Line] {
    var groups: [[Line]] = []
    for choice in choices {
      let heading = Line.heading(choice.heading)
      if groups.last?.first != heading { groups.append([heading]) }
      groups[groups.count - 1].append(.choice(choice))
    }
    if !facts.isEmpty { groups.append([.heading("Requested")] + facts.map { .fact($0) }) }
    let spaced = Array(groups.joined(separator: [.gap]))
    return spaced.count <= rows ? spaced : Array(groups.joined())
  }

  /// The line of the entry at the cursor; for the first entry line 0, so that its heading stays visible.
  func line(of cursor: Int, in lines: [Line]) -> Int {
    guard cursor > 0, choices.indices.contains(cursor) else { return 0 }
    return lines.firstIndex(of: .choice(choices[cursor])) ?? 0
  }

  func isChosen(_ choice: RepresentationChoice) -> Bool {
    switch choice {
    case .mode(let mode): mode == chosen.mode
    case .longestSide(let side): side == chosen.longestSide
    case .stripping(let stripping): stripping == chosen.stripping
    case .withoutCaptions: chosen.removesCaptions
    }
  }

  /// The options after another choice.
  ///
  /// Unchanged files can't be made smaller: of these two choices the later one counts. Captions are removed or kept in
  /// turn.
  func options(with choice: RepresentationChoice) -> RepresentationOptions {
    var options = chosen
    switch choice {
    case .mode(let mode):
      options.mode = mode
      if mode == .current { options.longestSide = asked.longestSide }
    case .longestSide(let side):
      options.longestSide = side
      if options.mode == .current, side != asked.longestSide { options.mode = .automatic }
    case .stripping(let stripping): options.stripping = stripping
    case .withoutCaptions: options.removesCaptions.toggle()
    }
    return options
  }
}

/// The options menu: format, size and metadata of the result.
struct OptionsMenu: Menu {
  let title = "Options"
  var list = MenuState()

  /// The cursor starts on the current format.
  init(in picker: PickerState) {
    list.cursor = offered(in: picker).choices.firstIndex(of: .mode(picker.picks.representation.mode)) ?? 0
  }

  private func offered(in picker: PickerState) -> RepresentationChoices {
    RepresentationChoices(
      asked: picker.options.configuration.representation, chosen: picker.picks.representation, list,
      picker.options.locale)
  }

  func rows(in picker: PickerState) -> Int? { offered(in: picker).lines().count + 1 }

  /// Handles keys.
  ///
  /// Backspace resets the options to those of the caller.
  mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    let offered = offered(in: picker)
    switch (key, command) {
    case (.space, _), (.enter, _), (_, .toggle), (_, .confirm), (_, .right):
      guard offered.choices.indices.contains(list.cursor) else { return .handled([]) }
      let options = offered.options(with: offered.choices[list.cursor])
      _ = picker.choose { picks, _ in picks.handOver(as: options) }
    case (.backspace, _), (.delete, _): _ = picker.choose { picks, _ in picks.handOver(as: offered.asked) }
    default: list.move(command, count: offered.choices.count)
    }
    return .handled([])
  }

  mutating func click(row: Int, in picker: inout PickerState) -> Handled {
    guard let area = picker.layout.menu?.menuList else { return .handled([]) }
    let offered = offered(in: picker)
    let lines = offered.lines(in: area.rows)
    let line = area.firstEntry(showing: offered.line(of: list.cursor, in: lines), of: lines.count) + row
    guard lines.indices.contains(line), case .choice(let choice) = lines[line] else { return .handled([]) }
    list.cursor = offered.choices.firstIndex(of: choice) ?? list.cursor
    let options = offered.options(with: choice)
    _ = picker.choose { picks, _ in picks.handOver(as: options) }
    return .handled([])
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let area = picker.layout.menu?.menuList else { return }
    let offered = offered(in: picker)
    let lines = offered.lines(in: area.rows)
    let current = offered.choices.indices.contains(list.cursor) ? offered.choices[list.cursor] : nil
    drawList(
      count: lines.count, current: offered.line(of: list.cursor, in: lines), on: &frame, in: picker
    ) { index, frame, row, area in
      switch lines[index] {
      case .heading(let text):
        frame.put(text, row: row, column: area.column + 1, limit: area.columns - 1, style: .heading)
      case .choice(let choice):
        let isChosen = offered.isChosen(choice)
        frame.drawLine(
          mark: isChosen ? picker.options.symbols.menus.checked : " ", choice.title, row: row, in: area,
          isCurrent: choice == current, isChosen: isChosen)
      case .fact(let text):
        frame.put(text, row: row, column: area.column + 3, limit: area.columns - 4, style: .fact)
      case .gap: break
      }
    }
  }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    fixedHints([.space: "choose", .backspace: "reset", .escape: "done"], in: picker)
  }
}

/// An entry of the options menu: one value for one of the options.
enum RepresentationChoice: Hashable {
  case mode(RepresentationMode)
  /// nil = full size.
  case longestSide(Int?)
  case stripping(RepresentationOptions.Stripping)
  case withoutCaptions

  /// The option that the entry belongs to.
  var heading: String {
    switch self {
    case .mode: "Format"
    case .longestSide: "Size"
    case .stripping, .withoutCaptions: "Metadata"
    }
  }

  var title: String {
    switch self {
    case .mode(.current): "unchanged"
    case .mode(.automatic): "converted if needed"
    case .mode(.compatible): "JPEG and MP4"
    case .longestSide(nil): "full size"
    case .longestSide(let side?): "at most \(side) pixels"
    case .stripping(.nothing): "keep all"
    case .stripping(.location): "remove location"
    case .stripping(.all): "remove all"
    case .withoutCaptions: "remove captions"
    }
  }
}

extension RepresentationOptions {
  /// Short descriptions of the options that change files; empty if files are unchanged.
  /// - Parameter kinds: the kinds of the results; options that do not affect them are left out.
  func words(_ locale: LocaleFormat, for kinds: Set<MediaType> = [.image]) -> [String] {
    var words: [String] = []
    if mode == .compatible {
      let formats = (kinds != [.video] ? ["JPEG"] : []) + (kinds.contains(.video) ? ["MP4"] : [])
      words.append("as \(formats.joined(separator: " and "))")
    } else if acceptedTypes != nil {
      words.append(mode == .current ? "some types only" : "converted if needed")
    }
    if let longestSide { words.append("\(longestSide) px") }
    if let byteCount { words.append("up to \(locale.size(byteCount))") }
    if let quality, kinds != [.video] { words.append("quality \(quality)") }
    switch stripping {
    case .nothing: break
    case .location: words.append("without location")
    case .all: words.append("without metadata")
    }
    if removesCaptions, stripping != .all { words.append("without captions") }
    return words
  }
}
