/// What a shell is to offer for the word at the cursor.
package struct CompletionAnswer: Hashable, Sendable {
  /// What the shell completes itself.
  package enum ShellsOwn: Hashable, Sendable {
    case files, directories
    /// Files that end in one of these, and the folders on the way to them.
    case filesEnding([String])
    /// A command, of which so many words stand before the one at the cursor.
    case command(before: Int)
  }

  /// Values, without the prefix.
  package var candidates: [Candidate] = []
  /// What stands before the value in the word: `--sort=`, or nothing.
  package var prefix = ""
  /// What the shell adds to the candidates.
  package var own: ShellsOwn?
  /// Whether more is expected behind the only candidate, so that no blank follows.
  package var continues = false

  package init() {}

  init(_ candidates: [Candidate], continues: Bool = false) {
    self.candidates = candidates
    self.continues = continues
  }

  init(own: ShellsOwn) { self.own = own }
}

// What the scripts of the shells read: a first line that says what the shell is to do, then a candidate a line.

extension CompletionAnswer {
  /// The lines for a shell.
  /// - Parameters:
  ///   - line: the command line that is completed.
  ///   - region: what bash takes for the word at the cursor, as it was typed: only that is replaced. It breaks words at
  ///     `=`, `:` and quotes.
  package func lines(for line: CompletionLine, replacing region: String? = nil) -> [String] {
    let body =
      switch line.shell {
      case .bash: bashLines(line, region ?? line.rawCurrent)
      case .zsh: candidates.map { "\(prefix)\($0.text)\t\($0.listing(width: width))" }
      case .fish: fishLines
      }
    return [[kind, isOpen ? "open" : "closed", argument(line)].joined(separator: " ")] + body
  }

  /// Whether the shell must not write a blank behind the only candidate.
  private var isOpen: Bool { continues && candidates.count == 1 }

  private var kind: String {
    switch own {
    case nil: "words"
    case .files: "files"
    case .filesEnding: "filesEnding"
    case .directories: "directories"
    case .command: "command"
    }
  }

  private func argument(_ line: CompletionLine) -> String {
    switch own {
    case nil: ""
    case .files, .directories: line.shell == .fish ? prefix : ""
    case .filesEnding(let suffixes): suffixes.joined(separator: "|")
    case .command(let before):
      // fish completes a line, bash and zsh their own words from here on.
      line.shell == .fish
        ? (line.rawWords.suffix(before) + [line.rawCurrent]).joined(separator: " ") : "\(before)"
    }
  }

  // MARK: bash

  /// The candidates quoted, without what stands before the region.
  private func bashLines(_ line: CompletionLine, _ region: String) -> [String] {
    let raw = line.rawCurrent
    let before = raw.hasSuffix(region) ? String(raw.dropLast(region.count)) : ""
    let (kept, quote) = ShellText(shell: .bash).unquoted(before)
    // Names of files among them have the shell quote all.
    let quotes = own == nil || !prefix.isEmpty
    var lines = candidates.map { candidate in
      let rest = String((prefix + candidate.text).dropFirst(kept.count))
      return quotes ? ShellText.quoted(rest, in: quote) : rest
    }
    // The only candidate closes the quote, whatever the script says.
    if isOpen, quote != nil, let only = lines.first { lines.append("\(only)…") }
    return lines
  }

  // MARK: zsh

  private var width: Int { min(40, candidates.map(\.text.count).max() ?? 0) }

  // MARK: fish

  private var fishLines: [String] {
    // fish writes a blank behind the only candidate unless it ends in one of these.
    let isLeftOpen = isOpen && !(candidates.first?.text.last.map { "/=@:.,-".contains($0) } ?? false)
    let all = isLeftOpen ? candidates + candidates.map { Candidate("\($0.text)…") } : candidates
    return all.map { "\(prefix)\($0.text)\t\($0.detail ?? "")" }
  }
}

extension Candidate {
  /// The line that stands for it in a list.
  fileprivate func listing(width: Int) -> String {
    guard let detail else { return text }
    return text + String(repeating: " ", count: max(0, width - text.count)) + "  -- \(detail)"
  }
}

/// A text that the word at the cursor, or the value in it, can become.
package struct Candidate: Hashable, Sendable {
  package var text: String
  /// What it means, in a few words.
  package var detail: String?

  package init(_ text: String, _ detail: String? = nil) {
    self.text = text
    self.detail = detail
  }

  /// Whether it can be listed on a terminal, one a line.
  var isOneLine: Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
    }
  }

  /// Whether it goes on from what is typed, in any capitals.
  func begins(with typed: some StringProtocol) -> Bool {
    typed.isEmpty || text.lowercased().hasPrefix(typed.lowercased())
  }
}
