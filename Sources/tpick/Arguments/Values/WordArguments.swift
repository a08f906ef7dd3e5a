import ArgumentParser
import AssetLibrary
import Configuration
import Export
import PickerUI
import Results
import TerminalGraphics

// What options take of the modules' own enumerations.

extension AssetSort: WordArgument {
  static var choices: [AssetSort] { allCases + [.given] }
}

extension AssetVersion: WordArgument {}

extension AuthorizationStatus: WordArgument {
  /// Kebab case is as good as camel case.
  init?(argument: String) { self.init(word: argument) }

  static var allValueStrings: [String] { allCases.map(\.word) }
}

extension PickerConfiguration.Selection: WordArgument {}

extension PickerConfiguration.Mode: WordArgument {}

extension PickerConfiguration.AssetRepresentationMode: WordArgument {}

extension RepresentationOptions.Stripping: WordArgument {
  static var choices: [Self] { [.location, .all] }
}

extension ExportOptions.Resources: WordArgument {}

extension ExportOptions.Existing: WordArgument {}

extension GraphicsMode: WordArgument {}

extension LocationChoice: WordArgument {}

extension Theme.Name: WordArgument {}

extension BlockSymbols: WordArgument {
  /// Letters are chosen by the protocol, `--graphics ascii`.
  static var choices: [BlockSymbols] { allCases.filter { $0 != .ascii } }
}

/// The value of `--sixel-encoder`.
enum SixelEncoderArgument: String, CaseIterable, WordArgument {
  case auto, own, libsixel

  /// The encoder; nil = chosen by the terminal.
  var kind: SixelEncoderKind? { SixelEncoderKind(rawValue: rawValue) }
}

/// The formats of what is told for people and for programs.
enum DocumentFormat: String, CaseIterable, WordArgument {
  case text, json
}

/// The formats of what is told for people and for programs, of which the latter have a list as well.
enum ListFormat: String, CaseIterable, WordArgument {
  case text, json, jsonl
}

extension AccessLevel: WordArgument {
  // The parser would take the number.
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

/// Why a value is none of its option's.
struct ArgumentProblem: Error, CustomStringConvertible {
  /// The value and what is wrong with it, without the name of the option.
  var description: String

  init(_ description: String) { self.description = description }

  /// A word that is none of those that are expected.
  /// - Parameter kind: what such a word is, with a plural in s.
  init(_ word: some StringProtocol, isNoneOf choices: [String], kind: String = "value") {
    description = NearestWord.message(unknown: kind, String(word), known: choices)
  }
}

/// Whether photos are handed over with the place where they were taken.
enum LocationChoice: String, CaseIterable {
  case on, off
}

/// A value that is one of a few words, in any case of letters.
protocol WordArgument: ExpressibleByArgument {
  /// The values that may be given.
  static var choices: [Self] { get }
  /// How a value is written.
  var word: String { get }
}

extension WordArgument {
  /// The value of a word; nil for any other one.
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

// The parser has its own defaults for these, which mind capitals.
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
