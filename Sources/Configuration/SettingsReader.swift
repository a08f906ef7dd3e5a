import AssetLibrary
import PickerUI
import Results
import TerminalGraphics

/// Reads settings from a TOML document; valid settings apply even if others are invalid.
package struct SettingsReader {
  package internal(set) var settings = Settings()
  /// All problems, in alphabetical order of the keys; a syntax error is the only one.
  package private(set) var problems: [SettingsProblem] = []
  /// Why it is unknown whether the library may be changed, so that it may not; nil if it is known.
  package private(set) var readOnlyProblem: SettingsProblem?

  package init(_ bytes: [UInt8]) {
    do throws(SettingsProblem) {
      read(try TOMLNode.document(bytes))
    } catch {
      problems = [error]
      assumeReadOnly()
    }
  }

  /// Forbids changes because of the last problem: what the user has forbidden must not be allowed by a typing error.
  private mutating func assumeReadOnly() {
    settings.isReadOnly = true
    readOnlyProblem = problems.last
  }

  private static let keys = [
    "actions", "bell", "cache", "captions", "cell-size", "colors", "favorites", "graphics", "grid", "keys",
    "mode",
    "panes", "play-in-grid", "player", "read-only", "scrub-in-grid", "servers", "sixel", "sort", "sources",
    "symbols", "theme",
    "unconfined-decoding",
  ]

  private mutating func read(_ document: [String: TOMLNode]) {
    for (key, node) in document.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "actions": readActions(node)
      case "read-only":
        if let isReadOnly = boolean(node, key) { settings.isReadOnly = isReadOnly } else { assumeReadOnly() }
      case "bell": settings.ringsBell = boolean(node, key) ?? settings.ringsBell
      case "cache":
        table(node, key, ["memory", "originals", "picked"]) {
          if $3 == "picked" { $0.readPickedDays($1, $2) } else { $0.readCacheSize($1, $2, $3) }
        }
      case "captions":
        settings.screen.captions = choice(node, key, CaptionMode.allCases) ?? settings.screen.captions
      case "cell-size": readCellSize(node)
      case "favorites":
        settings.favorites = choice(node, key, FavoriteStorage.allCases) ?? settings.favorites
      case "graphics": settings.graphics = choice(node, key, GraphicsMode.allCases) ?? settings.graphics
      case "mode":
        settings.mode = choice(node, key, PickerConfiguration.Mode.allCases) ?? settings.mode
      case "player": readPlayer(node)
      case "play-in-grid":
        settings.screen.playsInGrid = boolean(node, key) ?? settings.screen.playsInGrid
      case "scrub-in-grid":
        settings.screen.scrubsInGrid = boolean(node, key) ?? settings.screen.scrubsInGrid
      case "sources": readSources(node)
      case "colors": table(node, key, StyleName.allCases.map(\.rawValue)) { $0.readLook($1, $2, $3) }
      case "grid": table(node, key, ["size"]) { $0.readSize($1, $2, $3) }
      case "keys": readKeys(node)
      case "panes": table(node, key, ["albums", "preview"]) { $0.readPane($1, $2, $3) }
      case "servers":
        table(node, key, ["requests"]) { reader, node, path, _ in reader.readRequests(node, path) }
      case "sixel": table(node, key, ["encoder"]) { $0.readSixelEncoder($1, $2, $3) }
      case "sort": settings.sort = choice(node, key, AssetSort.allCases) ?? settings.sort
      case "symbols": settings.symbols = choice(node, key, SymbolSet.allCases) ?? settings.symbols
      case "theme":
        if node == .string("auto") { continue }
        settings.theme.name = choice(node, key, Theme.Name.allCases, others: ["auto"])
      case "unconfined-decoding":
        settings.allowsUnconfinedDecoding = boolean(node, key) ?? settings.allowsUnconfinedDecoding
      default:
        problems.append(.unknownKey(path: key, known: Self.keys))
        if NearestWord.of(key, in: Self.keys) == "read-only" { assumeReadOnly() }
      }
    }
  }

  // MARK: Kinds of values

  mutating func reject(_ path: String, _ reason: String) {
    problems.append(.value(path: path, reason))
  }

  mutating func reject(_ path: String, _ node: TOMLNode, expected: String) {
    reject(path, "expected \(expected), not \(node.text)")
  }

  private mutating func boolean(_ node: TOMLNode, _ path: String) -> Bool? {
    if case .boolean(let isOn) = node { return isOn }
    reject(path, node, expected: "true or false")
    return nil
  }

  private mutating func choice<Choice: RawRepresentable<String>>(
    _ node: TOMLNode, _ path: String, _ all: [Choice], others: [String] = []
  ) -> Choice? {
    if case .string(let text) = node, let choice = all.first(where: { $0.rawValue == text.lowercased() }) {
      return choice
    }
    reject(path, node, expected: Self.list(others + all.map(\.rawValue)))
    return nil
  }

  /// `a, b or c`.
  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// Reads the known keys of a table and reports the others.
  private mutating func table(
    _ node: TOMLNode, _ path: String, _ known: [String],
    _ read: (inout SettingsReader, TOMLNode, String, String) -> Void
  ) {
    guard case .table(let table) = node else { return reject(path, node, expected: "a table") }
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
  private mutating func readCellSize(_ node: TOMLNode) {
    if node == .string("auto") { return }
    guard case .string(let text) = node, let size = SizeText.cell(of: text) else {
      return reject("cell-size", node, expected: "auto or a size in pixels such as \"10x20\"")
    }
    settings.cellSize = size
  }

  private mutating func readSources(_ node: TOMLNode) {
    let nodes = if case .list(let nodes) = node { nodes } else { [node] }
    var sources: [String] = []
    for node in nodes {
      guard case .string(let text) = node,
        text.hasPrefix("/") || text.hasPrefix("~/") || text == "~" || text.contains(":")
      else {
        reject(
          "sources", node,
          expected: "paths that begin with / or ~/, for the home folder, or remotes such as nas:Photos")
        continue
      }
      sources.append(text)
    }
    settings.sources = sources
  }

  private mutating func readPlayer(_ node: TOMLNode) {
    guard case .string(let line) = node else {
      return reject("player", node, expected: "auto or a command such as \"mpv --no-config\"")
    }
    if line == "auto" { return }
    do {
      _ = try CommandTemplate(line: Array(line.utf8))
      settings.player = line
    } catch {
      reject("player", "\(error)")
    }
  }

  private mutating func readCacheSize(_ node: TOMLNode, _ path: String, _ key: String) {
    let size: Int?
    switch node {
    case .string(let text): size = ByteSize.bytes(of: text)
    case .integer(let number): size = number
    default: size = nil
    }
    if key == "originals" {
      guard let size, ByteSize.originalsRange.contains(size) else {
        return reject(path, node, expected: "a size from 0B to 1024GiB, such as \"4GiB\"")
      }
      settings.originalsLimit = size
      return
    }
    guard let size, ByteSize.memoryRange.contains(size) else {
      return reject(path, node, expected: "a size from 1MiB to 4GiB")
    }
    settings.cacheMemory = size
  }

  private mutating func readPickedDays(_ node: TOMLNode, _ path: String) {
    switch node {
    case .string("forever"): settings.pickedDays = nil
    case .integer(let days) where (0...36500).contains(days): settings.pickedDays = days
    default: reject(path, node, expected: "forever or a number of days")
    }
  }

  private mutating func readRequests(_ node: TOMLNode, _ path: String) {
    guard case .integer(let number) = node, (1...1000).contains(number) else {
      return reject(path, node, expected: "a number from 1 to 1000")
    }
    settings.requestsPerSecond = number
  }

  private mutating func readSize(_ node: TOMLNode, _ path: String, _ key: String) {
    if let size = GridSize(node) {
      settings.screen.gridSize = size
    } else {
      let (names, most) = (GridSize.names.joined(separator: ", "), GridSize.columnRange.upperBound)
      reject(path, node, expected: "\(names) or a number of columns up to \(most)")
    }
  }

  private mutating func readSixelEncoder(_ node: TOMLNode, _ path: String, _ key: String) {
    if node == .string("auto") { return }
    settings.sixelEncoder = choice(node, path, SixelEncoderKind.allCases, others: ["auto"])
  }

  private mutating func readPane(_ node: TOMLNode, _ path: String, _ key: String) {
    if key == "albums" {
      settings.screen.showsAlbums = boolean(node, path) ?? settings.screen.showsAlbums
    } else if case .boolean(let isOn) = node {
      settings.screen.showsPreview = isOn
    } else if node != .string("auto") {
      reject(path, node, expected: "true, false or \"auto\"")
    }
  }

  private mutating func readLook(_ node: TOMLNode, _ path: String, _ key: String) {
    guard case .string(let text) = node, let name = StyleName(rawValue: key) else {
      return reject(path, node, expected: "a style such as \"bold cyan\" or \"#ff8000 on black\"")
    }
    do {
      settings.theme.changes[name] = try ThemeLook(parsing: text)
    } catch {
      let attributes = ThemeLook.Attribute.allCases.map(\.rawValue).joined(separator: ", ")
      reject(
        path,
        "'\(error.word)' is neither a color (a name such as bright-blue, a number up to 255, #rrggbb, default) nor an attribute (\(attributes), prefixed with no- to turn it off); write 'on' before the background"
      )
    }
  }
}

// MARK: - Keys

extension SettingsReader {
  private mutating func readKeys(_ node: TOMLNode) {
    if case .string = node {
      settings.bindings = choice(node, "keys", KeyPreset.allCases)?.bindings ?? settings.bindings
      return
    }
    var preset = KeyPreset.standard
    var changes: [Command: [Key]] = [:]
    table(node, "keys", (["preset"] + Command.allCases.map(\.name)).sorted()) { reader, node, path, name in
      if name == "preset" { preset = reader.choice(node, path, KeyPreset.allCases) ?? preset }
      guard let command = Command(name: name), let keys = reader.keys(node, path) else { return }
      changes[command] = keys
    }
    resolveConflicts(&changes)
    settings.bindings = preset.bindings.changed(changes)
    ensureCancelKey(&changes, preset)
    reportUnboundCommands(changes, preset)
  }

  /// Reads one key or a list of keys; nil if all of them are invalid.
  private mutating func keys(_ node: TOMLNode, _ path: String) -> [Key]? {
    let nodes = if case .list(let nodes) = node { nodes } else { [node] }
    var keys: [Key] = []
    for node in nodes {
      guard case .string(let name) = node, let key = Key(name: name) else {
        reject(path, node, expected: Key.nameKinds)
        continue
      }
      if !keys.contains(key) { keys.append(key) }
    }
    return nodes.isEmpty ? [] : Self.nonEmpty(keys)
  }

  /// nil for an empty list, so that the command keeps its default keys.
  private static func nonEmpty(_ keys: [Key]) -> [Key]? { keys.isEmpty ? nil : keys }

  /// Assigns a key given to several commands to the first of them, and to the first that counts while something plays.
  private mutating func resolveConflicts(_ changes: inout [Command: [Key]]) {
    var owners: [Bool: [Key: Command]] = [:]
    for command in Command.allCases {
      guard let keys = changes[command], !keys.isEmpty else { continue }
      let own = keys.filter { key in
        guard let owner = owners[command.isForPlayback]?[key] else {
          owners[command.isForPlayback, default: [:]][key] = command
          return true
        }
        reject("keys.\(command.name)", "'\(key.name)' is already assigned to \(owner.name)")
        return false
      }
      changes[command] = Self.nonEmpty(own)
    }
  }

  /// Makes sure that the picker can always be cancelled.
  private mutating func ensureCancelKey(_ changes: inout [Command: [Key]], _ preset: KeyPreset) {
    guard settings.bindings.keys(for: .cancel).isEmpty else { return }
    let key = Key.control("c")
    reject("keys.cancel", "there must be a key to leave the picker; ctrl-c stays")
    for (command, keys) in changes where keys.contains(key) {
      changes[command] = Self.nonEmpty(keys.filter { $0 != key })
    }
    changes[.cancel] = [key]
    settings.bindings = preset.bindings.changed(changes)
  }

  /// Reports commands that lost their last key to other commands.
  private mutating func reportUnboundCommands(_ changes: [Command: [Key]], _ preset: KeyPreset) {
    for command in Command.allCases where changes[command] == nil {
      guard settings.bindings.keys(for: command).isEmpty, !preset.bindings.keys(for: command).isEmpty,
        // Not reported: commands that two other keys can replace, and `copyPaths`, whose default key users
        // may have bound before the command existed.
        command != .toggleNext, command != .togglePrevious, command != .copyPaths
      else {
        continue
      }
      let reason = "its keys are assigned to others; assign another key, or [] for none"
      reject("keys.\(command.name)", reason)
    }
  }
}

extension SettingsReader {
  /// Reads the table of actions: names of keys with the action of each.
  private mutating func readActions(_ node: TOMLNode) {
    guard case .table(let table) = node else { return reject("actions", node, expected: "a table") }
    for (name, node) in table.sorted(by: { $0.key < $1.key }) {
      let path = "actions.\(name)"
      guard let key = Key(name: name) else {
        reject(path, "'\(name)' is not a key that terminals send; expected \(Key.nameKinds)")
        continue
      }
      guard case .string(let text) = node else {
        reject(path, node, expected: "an action such as \"execute(gimp {})\"")
        continue
      }
      do throws(FormatError) {
        settings.actions.append(BoundAction(key, try KeyAction(text)))
      } catch {
        reject(path, error.description)
      }
    }
  }
}

/// A problem with a configuration.
package enum SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A TOML syntax error; lines and columns count from 1.
  case syntax(line: Int, column: Int, String)
  /// An unknown key, with the known keys of its table.
  case unknownKey(path: String, known: [String])
  /// An invalid value, with the reason.
  case value(path: String, String)

  package var description: String {
    switch self {
    case .syntax(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .unknownKey(let path, let known):
      "\(path): unknown key\(Self.hint(path, known)) keys are \(known.joined(separator: ", "))"
    case .value(let path, let reason): "\(path): \(reason)"
    }
  }

  /// The key that was probably meant.
  private static func hint(_ path: String, _ known: [String]) -> String {
    let key = path.split(separator: ".").last.map(String.init) ?? path
    return NearestWord.of(key, in: known).map { "; did you mean \($0)? Known" } ?? "; known"
  }
}

/// One setting as a line of TOML.
struct SettingEntry {
  /// Empty for a top-level key.
  var table: String
  var key: String
  /// In TOML syntax.
  var value: String
  /// A description in one line; nil if that of the table is enough.
  var purpose: String?
  /// Whether the line is written as a comment, because its value depends on other settings.
  var isFallback = false

  init(_ table: String, _ key: String, _ value: String, _ purpose: String? = nil, isFallback: Bool = false) {
    (self.table, self.key, self.value) = (table, key, value)
    (self.purpose, self.isFallback) = (purpose, isFallback)
  }

  var line: String { "\(key) = \(value)" }
}
