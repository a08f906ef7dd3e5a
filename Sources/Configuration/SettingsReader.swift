import AssetLibrary
import PickerUI
import TerminalGraphics

/// Reads settings out of a TOML document; whatever is wrong with one of them, the others apply.
package struct SettingsReader {
  package private(set) var settings = Settings()
  /// All that is wrong, by key in alphabetical order; a document that is no TOML has one problem.
  package private(set) var problems: [SettingsProblem] = []

  package init(_ bytes: [UInt8]) {
    do throws(SettingsProblem) {
      read(try TOMLNode.document(bytes))
    } catch {
      problems = [error]
    }
  }

  private static let keys = [
    "bell", "cache", "colors", "grid", "keys", "panes", "sixel", "sort", "symbols", "theme",
  ]

  private mutating func read(_ document: [String: TOMLNode]) {
    for (key, node) in document.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "bell": settings.rings = boolean(node, key) ?? settings.rings
      case "cache": table(node, key, ["memory"]) { $0.readMemory($1, $2, $3) }
      case "colors": table(node, key, StyleName.allCases.map(\.rawValue)) { $0.readLook($1, $2, $3) }
      case "grid": table(node, key, ["size"]) { $0.readSize($1, $2, $3) }
      case "keys": readKeys(node)
      case "panes": table(node, key, ["albums", "preview"]) { $0.readPane($1, $2, $3) }
      case "sixel": table(node, key, ["encoder"]) { $0.readSixelEncoder($1, $2, $3) }
      case "sort": settings.sort = word(node, key, AssetSort.allCases) ?? settings.sort
      case "symbols": settings.symbols = word(node, key, SymbolSet.allCases) ?? settings.symbols
      case "theme":
        if node == .string("auto") { continue }
        settings.theme.name = word(node, key, Theme.Name.allCases, others: ["auto"])
      default: problems.append(.unknownKey(path: key, known: Self.keys))
      }
    }
  }

  // MARK: Kinds of values

  private mutating func refuse(_ path: String, _ words: String) {
    problems.append(.value(path: path, words))
  }

  private mutating func refuse(_ path: String, _ node: TOMLNode, expected: String) {
    refuse(path, "expected \(expected), not \(node.words)")
  }

  private mutating func boolean(_ node: TOMLNode, _ path: String) -> Bool? {
    if case .boolean(let isOn) = node { return isOn }
    refuse(path, node, expected: "true or false")
    return nil
  }

  private mutating func word<Choice: RawRepresentable<String>>(
    _ node: TOMLNode, _ path: String, _ all: [Choice], others: [String] = []
  ) -> Choice? {
    if case .string(let text) = node, let choice = all.first(where: { $0.rawValue == text.lowercased() }) {
      return choice
    }
    refuse(path, node, expected: Self.list(others + all.map(\.rawValue)))
    return nil
  }

  /// `a, b or c`.
  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// Reads each known key of a table with its path.
  private mutating func table(
    _ node: TOMLNode, _ path: String, _ known: [String],
    _ read: (inout SettingsReader, TOMLNode, String, String) -> Void
  ) {
    guard case .table(let table) = node else { return refuse(path, node, expected: "a table") }
    for (key, node) in table.sorted(by: { $0.key < $1.key }) {
      if known.contains(key) {
        read(&self, node, "\(path).\(key)", key)
      } else {
        problems.append(.unknownKey(path: "\(path).\(key)", known: known))
      }
    }
  }
}

// MARK: - Single keys

extension SettingsReader {
  private mutating func readMemory(_ node: TOMLNode, _ path: String, _ key: String) {
    let size: Int?
    switch node {
    case .string(let text): size = ByteSize.bytes(of: text)
    case .integer(let number): size = number
    default: size = nil
    }
    guard let size, ByteSize.memoryRange.contains(size) else {
      return refuse(path, node, expected: "a size from 1MiB to 4GiB")
    }
    settings.cacheMemory = size
  }

  private mutating func readSize(_ node: TOMLNode, _ path: String, _ key: String) {
    if case .string(let text) = node, let size = GridSize(name: text.lowercased()) {
      settings.gridSize = size
    } else if case .integer(let number) = node, GridSize.columnRange.contains(number) {
      settings.gridSize = .columns(number)
    } else {
      let (names, most) = (GridSize.names.joined(separator: ", "), GridSize.columnRange.upperBound)
      refuse(path, node, expected: "\(names) or a number of columns up to \(most)")
    }
  }

  private mutating func readSixelEncoder(_ node: TOMLNode, _ path: String, _ key: String) {
    if node == .string("auto") { return }
    settings.sixelEncoder = word(node, path, SixelEncoderKind.allCases, others: ["auto"])
  }

  private mutating func readPane(_ node: TOMLNode, _ path: String, _ key: String) {
    if key == "albums" {
      settings.showsAlbums = boolean(node, path) ?? settings.showsAlbums
    } else if case .boolean(let isOn) = node {
      settings.showsPreview = isOn
    } else if node != .string("auto") {
      refuse(path, node, expected: "true, false or \"auto\"")
    }
  }

  private mutating func readLook(_ node: TOMLNode, _ path: String, _ key: String) {
    guard case .string(let text) = node, let name = StyleName(rawValue: key) else {
      return refuse(path, node, expected: "a style such as \"bold cyan\" or \"#ff8000 on black\"")
    }
    do {
      settings.theme.changes[name] = try ThemeLook(parsing: text)
    } catch {
      let attributes = ThemeLook.Attribute.allCases.map(\.rawValue).joined(separator: ", ")
      refuse(
        path,
        "'\(error.word)' is neither a colour (a name such as bright-blue, a number up to 255, #rrggbb, default) nor an attribute (\(attributes), with no- in front to turn it off); 'on' stands before the background"
      )
    }
  }
}

// MARK: - Keys

extension SettingsReader {
  private mutating func readKeys(_ node: TOMLNode) {
    var changes: [Command: [Key]] = [:]
    table(node, "keys", Command.allCases.map(\.name).sorted()) { reader, node, path, name in
      guard let command = Command(name: name), let keys = reader.keys(node, path) else { return }
      changes[command] = keys
    }
    separate(&changes)
    settings.bindings = KeyBindings.standard.changed(changes)
    keepAnEnd(&changes)
    reportLosses(changes)
  }

  /// The keys in a value: one, or a list of them.
  private mutating func keys(_ node: TOMLNode, _ path: String) -> [Key]? {
    let nodes = if case .list(let nodes) = node { nodes } else { [node] }
    var keys: [Key] = []
    for node in nodes {
      guard case .string(let name) = node, let key = Key(name: name) else {
        refuse(path, node, expected: "a character, ctrl- and a letter, or a name such as page-up")
        continue
      }
      if !keys.contains(key) { keys.append(key) }
    }
    return nodes.isEmpty ? [] : Self.unlessEmpty(keys)
  }

  /// With nothing left of what was meant, the keys stay what they were.
  private static func unlessEmpty(_ keys: [Key]) -> [Key]? { keys.isEmpty ? nil : keys }

  /// Leaves a key that was given to several commands to the first of them.
  private mutating func separate(_ changes: inout [Command: [Key]]) {
    var owners: [Key: Command] = [:]
    for command in Command.allCases {
      guard let keys = changes[command], !keys.isEmpty else { continue }
      let own = keys.filter { key in
        guard let owner = owners[key] else {
          owners[key] = command
          return true
        }
        refuse("keys.\(command.name)", "'\(key.name)' is given to \(owner.name) already")
        return false
      }
      changes[command] = Self.unlessEmpty(own)
    }
  }

  /// A picker has to have an end.
  private mutating func keepAnEnd(_ changes: inout [Command: [Key]]) {
    guard settings.bindings.keys(for: .cancel).isEmpty else { return }
    let key = Key.control("c")
    refuse("keys.cancel", "the picker could not be left without a key; ctrl-c stays")
    for (command, keys) in changes where keys.contains(key) {
      changes[command] = Self.unlessEmpty(keys.filter { $0 != key })
    }
    changes[.cancel] = [key]
    settings.bindings = KeyBindings.standard.changed(changes)
  }

  /// Says which commands lost their last key without being told to.
  private mutating func reportLosses(_ changes: [Command: [Key]]) {
    for command in Command.allCases where changes[command] == nil {
      guard settings.bindings.keys(for: command).isEmpty else { continue }
      let words = "its keys are given to others; name another, or [] for none"
      refuse("keys.\(command.name)", words)
    }
  }
}
