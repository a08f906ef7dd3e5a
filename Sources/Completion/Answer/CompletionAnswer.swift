/// The completions that a shell offers for the word at the cursor.
package struct CompletionAnswer: Hashable, Sendable {
  /// What the shell completes itself.
  package enum ShellsOwn: Hashable, Sendable {
    case files, directories
    /// Files with one of these extensions, and folders that may contain them.
    case filesEnding([String])
    /// A command, with the number of its words before the cursor.
    case command(before: Int)
  }

  /// Values, without the prefix.
  package var candidates: [Candidate] = []
  /// The part of the word before the value: `--sort=`, or nothing.
  package var prefix = ""
  /// What the shell adds to the candidates.
  package var own: ShellsOwn?
  /// Whether more text is expected after the only candidate, so that no space follows.
  package var continues = false

  package init() {}

  init(_ candidates: [Candidate], continues: Bool = false) {
    self.candidates = candidates
    self.continues = continues
  }

  init(own: ShellsOwn) { self.own = own }
}

// The format that the shells' scripts read: a first line that tells the shell what to do, then one candidate per line.

extension CompletionAnswer {
  /// The lines for a shell.
  /// - Parameters:
  ///   - line: the command line to complete.
  ///   - region: the part of the word that bash replaces, as it was typed. Bash breaks words at `=`, `:` and quotes.
  package func lines(for line: CompletionLine, replacing region: String? = nil) -> [String] {
    let body =
      switch line.shell {
      case .bash: bashLines(line, region ?? line.rawCurrent)
      case .zsh: candidates.map { "\(prefix)\($0.text)\t\($0.listing(width: width))" }
      case .fish: fishLines
      }
    let argument = argument(line)
    // A command with a line break in it can't be handed back in one line.
    guard !argument.utf8.contains(UInt8(ascii: "\n")) else { return ["words closed "] }
    return [[kind, isOpen ? "open" : "closed", argument].joined(separator: " ")] + body
  }

  /// Whether the shell must not add a space after the only candidate.
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
      // fish completes the whole line, bash and zsh their own words from here on.
      line.shell == .fish
        ? (line.rawWords.suffix(before) + [line.rawCurrent]).joined(separator: " ") : "\(before)"
    }
  }

  // MARK: bash

  /// The candidates, quoted, without the part before the region.
  private func bashLines(_ line: CompletionLine, _ region: String) -> [String] {
    let raw = line.rawCurrent
    let before = raw.hasSuffix(region) ? String(raw.dropLast(region.count)) : ""
    let (kept, quote) = ShellText(shell: .bash).unquoted(before)
    // If files are among the candidates, the shell quotes all of them.
    let quotes = own == nil || !prefix.isEmpty
    var lines = candidates.map { candidate in
      let rest = String((prefix + candidate.text).dropFirst(kept.count))
      return quotes ? ShellText.quoted(rest, in: quote) : rest
    }
    // bash closes the quote after the only candidate, whatever the script says.
    if isOpen, quote != nil, let only = lines.first { lines.append("\(only)…") }
    return lines
  }

  // MARK: zsh

  private var width: Int { min(40, candidates.map(\.text.count).max() ?? 0) }

  // MARK: fish

  private var fishLines: [String] {
    // fish adds a space after the only candidate unless it ends in one of these.
    let isLeftOpen = isOpen && !(candidates.first?.text.last.map { "/=@:.,-".contains($0) } ?? false)
    let all = isLeftOpen ? candidates + candidates.map { Candidate("\($0.text)…") } : candidates
    return all.map { "\(prefix)\($0.text)\t\($0.detail ?? "")" }
  }
}

extension Candidate {
  /// The line of the candidate in a list.
  fileprivate func listing(width: Int) -> String {
    guard let detail else { return text }
    return text + String(repeating: " ", count: max(0, width - text.count)) + "  -- \(detail)"
  }
}

/// A text that the word at the cursor, or the value in it, can become.
package struct Candidate: Hashable, Sendable {
  package var text: String
  /// A short description.
  package var detail: String?

  package init(_ text: String, _ detail: String? = nil) {
    self.text = text
    self.detail = detail
  }

  /// Whether it can be listed on a terminal, one per line.
  var isOneLine: Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
    }
  }

  /// Whether it begins with the typed text, ignoring case.
  func begins(with typed: some StringProtocol) -> Bool {
    typed.isEmpty || text.lowercased().hasPrefix(typed.lowercased())
  }
}
