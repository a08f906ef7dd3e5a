import ArgumentParser
import AssetLibrary
import Configuration
import Export
import PickerUI
import Results
import TerminalGraphics

// The option values of enumerations in other modules.

extension AssetSort: WordArgument {
  static var choices: [AssetSort] { allCases + [.given] }
}

extension AssetVersion: WordArgument {}

extension AuthorizationStatus: WordArgument {
  /// Kebab case is accepted as well as camel case.
  init?(argument: String) { self.init(word: argument) }

  static var allValueStrings: [String] { allCases.map(\.word) }
}

extension PickerConfiguration.Selection: WordArgument {}

extension PickerConfiguration.Mode: WordArgument {}

extension PickerConfiguration.AssetRepresentationMode: WordArgument {}

extension ExportOptions.Resources: WordArgument {}

extension ExportOptions.Existing: WordArgument {}

extension GraphicsMode: WordArgument {}

extension LocationChoice: WordArgument {}

extension Theme.Name: WordArgument {}

extension BlockSymbols: WordArgument {
  /// ASCII is chosen as a protocol instead, with `--graphics ascii`.
  static var choices: [BlockSymbols] { allCases.filter { $0 != .ascii } }
}

/// The value of `--sixel-encoder`.
enum SixelEncoderArgument: String, CaseIterable, WordArgument {
  case auto, own, libsixel

  /// The encoder; nil = chosen for the terminal.
  var kind: SixelEncoderKind? { SixelEncoderKind(rawValue: rawValue) }
}

/// Output formats for people and for programs.
enum DocumentFormat: String, CaseIterable, WordArgument {
  case text, json
}

/// Output formats for people and for programs, including JSON lines.
enum ListFormat: String, CaseIterable, WordArgument {
  case text, json, jsonl
}

extension AccessLevel: WordArgument {
  // The parser would accept the number.
  init?(argument: String) {
    guard let choice = Self.choice(argument) else { return nil }
    self = choice
  }

  static var allValueStrings: [String] { choices.map(\.word) }

  static var choices: [AccessLevel] { [.readWrite, .addOnly] }

  var word: String {
    switch self {
    case .readWrite: "readWrite"
    case .addOnly: "addOnly"
    }
  }
}

/// Why a value is invalid for its option.
struct ArgumentProblem: Error, CustomStringConvertible {
  /// The value and the problem, without the name of the option.
  var description: String

  init(_ description: String) { self.description = description }

  /// The message for an unknown word.
  /// - Parameter kind: what the word is; its plural ends in s.
  init(_ word: some StringProtocol, isNoneOf choices: [String], kind: String = "value") {
    description = NearestWord.message(unknown: kind, String(word), known: choices)
  }
}

/// Whether photos are passed on with their location.
enum LocationChoice: String, CaseIterable {
  case on, off
}

/// A value from a list of words, ignoring case.
protocol WordArgument: ExpressibleByArgument {
  /// The possible values.
  static var choices: [Self] { get }
  /// The spelling of a value.
  var word: String { get }
}

extension WordArgument {
  /// The value of a word; nil if there is none.
  static func choice(_ text: some StringProtocol) -> Self? {
    let text = text.lowercased()
    return choices.first { $0.word.lowercased() == text }
  }

  private static var allValueStrings: [String] { choices.map(\.word) }

  init?(argument: String) {
    guard let choice = Self.choice(argument) else { return nil }
    self = choice
  }
}

extension WordArgument where Self: CaseIterable, AllCases == [Self] {
  static var choices: [Self] { allCases }
}

// Overrides the parser's defaults, which are case-sensitive.
extension WordArgument where Self: RawRepresentable, RawValue == String {
  var word: String { rawValue }

  init?(argument: String) {
    guard let choice = Self.choice(argument) else { return nil }
    self = choice
  }
}

extension WordArgument where Self: CaseIterable, Self: RawRepresentable, RawValue == String {
  static var allValueStrings: [String] { choices.map(\.word) }
}
