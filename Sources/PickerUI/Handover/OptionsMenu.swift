import AssetLibrary
import Pixels

/// What the options menu offers: the user chooses within what the caller asks for.
struct OptionsMenu {
  /// A line below the menu's title.
  enum Line: Hashable {
    case heading(String)
    case choice(RepresentationChoice)
    /// What the caller asks for, and nobody can change.
    case fact(String)
    case gap
  }

  /// The caller's options, where the user's begin.
  let asked: RepresentationOptions
  let chosen: RepresentationOptions
  /// The entries in sight, in their order.
  let choices: [RepresentationChoice]
  private let facts: [String]

  /// Sizes for screens of today, in social networks, and in mails.
  private static let sides = [4096, 2048, 1024]
  /// The cells of a line of facts.
  private static let factColumns = 24

  /// - Parameter menu: what was typed in it; only entries with that in their titles are there.
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
    choices = menu.matching(all) { "\($0.heading) \($0.title)" }
    var facts: [String] = []
    if let types = asked.acceptedTypes { facts.append("\(types)") }
    if let byteCount = asked.byteCount { facts.append("up to \(locale.size(byteCount))") }
    if let quality = asked.quality { facts.append("JPEGs of quality \(quality)") }
    self.facts =
      menu.text.isEmpty
      ? facts.flatMap { DisplayText($0).wrapped(to: Self.factColumns).map(\.string) } : []
  }

  /// The lines, with gaps between the options where there is room for them.
  func lines(in rows: Int = 0) -> [Line] {
    var groups: [[Line]] = []
    for choice in choices {
      let heading = Line.heading(choice.heading)
      if groups.last?.first != heading { groups.append([heading]) }
      groups[groups.count - 1].append(.choice(choice))
    }
    if !facts.isEmpty { groups.append([.heading("Asked for")] + facts.map { .fact($0) }) }
    let spaced = Array(groups.joined(separator: [.gap]))
    return spaced.count <= rows ? spaced : Array(groups.joined())
  }

  /// The line of the entry at the cursor; the first line for the first entry, whose heading stays in sight with it.
  func line(of cursor: Int, in lines: [Line]) -> Int {
    guard cursor > 0, choices.indices.contains(cursor) else { return 0 }
    return lines.firstIndex(of: .choice(choices[cursor])) ?? 0
  }

  func isChosen(_ choice: RepresentationChoice) -> Bool {
    switch choice {
    case .mode(let mode): mode == chosen.mode
    case .longestSide(let side): side == chosen.longestSide
    case .stripping(let stripping): stripping == chosen.stripping
    }
  }

  /// The options with one more choice.
  ///
  /// Files as they are can't be made smaller: the later one of these choices counts.
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
    }
    return options
  }
}

extension PickerState {
  func optionsMenu(_ menu: MenuState) -> OptionsMenu {
    OptionsMenu(
      asked: options.configuration.representation, chosen: handover.options, menu, options.locale)
  }

  /// Opens the menu with what can be chosen of the shape in which the result is handed over.
  mutating func openOptions() -> [PickerEffect] {
    let cursor = optionsMenu(MenuState()).choices.firstIndex(of: .mode(handover.options.mode))
    return open(.options(MenuState(cursor: cursor ?? 0)))
  }

  /// Handles a key in the options menu: Backspace takes back what was chosen.
  mutating func pressInOptions(_ key: Key, _ command: Command?, _ menu: MenuState) -> [PickerEffect] {
    var menu = menu
    if !menu.type(key) {
      let options = optionsMenu(menu)
      switch (key, command) {
      case (.space, _), (.enter, _), (_, .toggle), (_, .confirm), (_, .right):
        guard options.choices.indices.contains(menu.cursor) else { return [] }
        choose(options.options(with: options.choices[menu.cursor]))
      case (.backspace, _), (.delete, _): choose(options.asked)
      default: menu.move(command, count: options.choices.count)
      }
    }
    input.overlay = .options(menu)
    return []
  }

  func drawOptions(_ menu: MenuState, on frame: inout ScreenFrame) {
    guard let area = layout.menu else { return }
    let options = optionsMenu(menu)
    let lines = options.lines(in: menuList(in: area).rows)
    let current = options.choices.indices.contains(menu.cursor) ? options.choices[menu.cursor] : nil
    drawMenu(
      "Options", menu, count: lines.count, current: options.line(of: menu.cursor, in: lines), on: &frame
    ) { index, frame, row, list in
      switch lines[index] {
      case .heading(let text):
        frame.put(text, row: row, column: list.column + 1, limit: list.columns - 1, style: .heading)
      case .choice(let choice):
        let isChosen = options.isChosen(choice)
        frame.drawLine(
          mark: isChosen ? symbols.menus.checked : " ", choice.title, row: row, in: list,
          isCurrent: choice == current, isChosen: isChosen)
      case .fact(let text):
        frame.put(text, row: row, column: list.column + 3, limit: list.columns - 4, style: .fact)
      case .gap: break
      }
    }
  }
}

/// An entry of the options menu: one value for one of the options.
enum RepresentationChoice: Hashable {
  case mode(RepresentationMode)
  /// nil = as many pixels as there are.
  case longestSide(Int?)
  case stripping(RepresentationOptions.Stripping)

  /// The option that it belongs to.
  var heading: String {
    switch self {
    case .mode: "Format"
    case .longestSide: "Size"
    case .stripping: "Metadata"
    }
  }

  var title: String {
    switch self {
    case .mode(.current): "as they are"
    case .mode(.automatic): "converted where needed"
    case .mode(.compatible): "JPEG and MP4"
    case .longestSide(nil): "full size"
    case .longestSide(let side?): "at most \(side) pixels"
    case .stripping(.nothing): "all kept"
    case .stripping(.location): "without location"
    case .stripping(.all): "none kept"
    }
  }
}

extension RepresentationOptions {
  /// What is not as the files are, in a few words each; none where nothing is.
  func words(_ locale: LocaleFormat) -> [String] {
    var words: [String] = []
    if mode == .compatible {
      words.append("as JPEG")
    } else if acceptedTypes != nil {
      words.append(mode == .current ? "some types only" : "converted where needed")
    }
    if let longestSide { words.append("\(longestSide) px") }
    if let byteCount { words.append("up to \(locale.size(byteCount))") }
    if let quality { words.append("quality \(quality)") }
    switch stripping {
    case .nothing: break
    case .location: words.append("without location")
    case .all: words.append("without metadata")
    }
    return words
  }
}
