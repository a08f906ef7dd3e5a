/// A command to run on assets, word by word.
///
/// No shell reads it: a file's name is one argument, whatever is in it.
package struct CommandTemplate: Hashable, Sendable {
  /// What stands for assets: a word of its own, as in POSIX's `find -exec`.
  package enum Placeholder: String, CaseIterable, Sendable {
    /// The path of the asset under the cursor; where none is, those of all that are picked.
    case current = "{}"
    /// The paths of all that are picked.
    case picks = "{+}"
    /// Their identifiers.
    case identifiers = "{ids}"
  }

  /// What replaces the placeholders.
  package struct Values: Sendable {
    package var current: [[UInt8]]
    package var picks: [[UInt8]]
    package var identifiers: [[UInt8]]

    package init(current: [[UInt8]], picks: [[UInt8]], identifiers: [[UInt8]]) {
      self.current = current
      self.picks = picks
      self.identifiers = identifiers
    }
  }

  private let words: [[UInt8]]

  /// - Throws: `FormatError` if there is no word, or one with a placeholder among other text: a shell's script with a
  ///   file's name in it would run what the name says.
  package init(words: [[UInt8]]) throws(FormatError) {
    guard words.first.map({ !$0.isEmpty }) ?? false else { throw FormatError("no command is named") }
    for word in words where Self.placeholder(word) == nil {
      let text = String(decoding: word, as: UTF8.self)
      for placeholder in Placeholder.allCases where text.contains(placeholder.rawValue) {
        throw FormatError(
          "'\(text)': \(placeholder.rawValue) has to be a word of its own; a script gets it as an argument: "
            + "sh -c 'ls -l \"$@\"' sh \(placeholder.rawValue)")
      }
    }
    self.words = words
  }

  private static func placeholder(_ word: [UInt8]) -> Placeholder? {
    Placeholder(rawValue: String(decoding: word, as: UTF8.self))
  }

  /// The placeholders that there are.
  package var placeholders: Set<Placeholder> { Set(words.compactMap(Self.placeholder)) }

  /// What the command is called, for messages.
  package var name: String { String(decoding: words.first ?? [], as: UTF8.self) }

  /// The arguments, the command's name first.
  /// - Parameter appends: whether paths of picks are put at the end where there is no placeholder.
  package func arguments(_ values: Values, appends: Bool = false) -> [[UInt8]] {
    let filled = words.flatMap { word in
      switch Self.placeholder(word) {
      case .current: values.current
      case .picks: values.picks
      case .identifiers: values.identifiers
      case nil: [word]
      }
    }
    return appends && placeholders.isEmpty ? filled + values.picks : filled
  }
}
