import ArgumentParser
import AssetLibrary
import Configuration
import Export
import PickerUI
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
