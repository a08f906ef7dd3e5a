import Fixtures
import Foundation
import TestTerminal

/// A shell at its prompt in a folder with photos, with tpick's completions installed.
struct CompletingShell {
  enum Kind: String, CaseIterable {
    /// Plain bash, which sources the script.
    case bash
    /// bash with bash-completion, which finds the script by its name.
    case bashCompletion
    case zsh, fish

    var program: String { self == .bashCompletion ? "bash" : rawValue }

    var isInstalled: Bool {
      Recipes.has(program)
        && (self != .bashCompletion || FileManager.default.fileExists(atPath: Self.bashCompletionScript))
    }

    fileprivate static let bashCompletionScript = "/usr/share/bash-completion/bash_completion"
  }

  private static let prompt = "ready>"

  let session: TerminalSession
  let folder: TemporaryFolder
  private let variables: [String: String]

  init(_ kind: Kind) throws {
    folder = try TemporaryFolder()
    for name in ["library", "library/Two words", "library/it's a:b $1", "photos"] {
      try folder.makeFolder(name)
    }
    let photo = try TestPhoto(TestPicture.make(width: 16, height: 12), date: .day(1, month: 1)).bytes()
    for name in [
      "library/Two words/1.jpg", "library/it's a:b $1/2.jpg", "photos/3.jpg", "x:y z.jpg", "old.JPG",
    ] {
      try folder.write(photo, to: name)
    }
    try folder.write([], to: "notes.txt")
    let home = try TemporaryFolder()
    for name in ["fish", "fish/completions", "functions", "bash-completion", "bash-completion/completions"] {
      try home.makeFolder(name)
    }
    for (shell, name) in [
      ("bash", "bash-completion/completions/tpick"), ("zsh", "functions/_tpick"),
      ("fish", "fish/completions/tpick.fish"),
    ] {
      try home.write(try Program.run(["completions", shell]).output, to: name)
    }
    try home.write(
      Array(Self.settings(kind, home.path).utf8),
      to: kind == .fish ? "fish/config.fish" : kind == .zsh ? ".zshrc" : "bashrc")
    let arguments: [String] =
      switch kind {
      case .bash, .bashCompletion: ["--noprofile", "--rcfile", "\(home.path)/bashrc", "-i"]
      case .zsh: ["-d", "-i"]
      case .fish: ["-i"]
      }
    let tools = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    variables = [
      "HOME": home.path, "ZDOTDIR": home.path, "XDG_DATA_HOME": home.path, "XDG_CONFIG_HOME": home.path,
      "PATH": "\(tools):/usr/local/bin:/usr/bin:/bin",
    ]
    let environment = try Program.environment(variables)
    try Self.index(folder, variables)
    session = try TerminalSession(
      "/usr/bin/env", [kind.program] + arguments, environment: environment, profile: .color256,
      workingDirectory: folder.path, standardOutput: .terminal, standardError: .terminal,
      owning: [folder, home])
    try waitForLine("")
  }

  /// The shell's startup file: a plain prompt, lists for ambiguous words, and no bell.
  private static func settings(_ kind: Kind, _ home: String) -> String {
    switch kind {
    case .bash, .bashCompletion:
      """
      PS1='\(prompt) '; bind 'set show-all-if-ambiguous on'; bind 'set enable-bracketed-paste off'
      . \(kind == .bash ? "\(home)/bash-completion/completions/tpick" : Kind.bashCompletionScript)

      """
    case .zsh:
      """
      PS1='\(prompt) '; setopt no_list_beep no_list_ambiguous; fpath=($ZDOTDIR/functions $fpath)
      autoload -Uz compinit && compinit -u -D

      """
    case .fish:
      """
      set fish_greeting
      function fish_prompt; echo -n '\(prompt) '; end
      function fish_title; end

      """
    }
  }

  /// Reads the library: a completion waits only briefly for photos that tpick has not seen.
  func index() throws { try Self.index(folder, variables) }

  private static func index(_ folder: TemporaryFolder, _ variables: [String: String]) throws {
    _ = try Program.run(["list", "\(folder.path)/library"], environment: variables)
  }

  /// Waits until the cursor's line has this text after the prompt.
  func waitForLine(_ line: String) throws {
    let whole = "\(Self.prompt) \(line)".trimmingCharacters(in: .whitespaces)
    try session.waitUntil("the line “\(whole)”") { screen in
      screen.text.split(separator: "\n").contains { row in
        row.trimmingCharacters(in: .whitespaces) == whole
      }
    }
  }

  /// Waits for a row with this text.
  func waitForRow(_ text: String) throws {
    try session.waitUntil("the row “\(text)”") { screen in
      screen.text.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces) == text }
    }
  }

  /// Types, presses Tab and waits for the line; the shell lists words.
  func complete(_ typed: String, to line: String, listing words: [String] = []) throws {
    session.send(typed + "\t")
    try waitForLine(line)
    try session.waitUntil("a list of \(words)") { screen in
      // Below the line, or in bash above it.
      let rows = screen.text.split(separator: "\n").filter { !$0.hasPrefix(Self.prompt) }.joined(
        separator: "\n")
      return words.allSatisfy { rows.contains($0) }
    }
  }

  /// Discards the line, and clears the screen.
  func clear() throws {
    session.pressControl("u")
    session.pressControl("l")
    try session.waitUntil("an empty screen") { screen in
      screen.text.trimmingCharacters(in: .whitespacesAndNewlines) == Self.prompt
    }
  }

  /// Whether the bell rang; operating system commands end in the same character.
  var hasRung: Bool {
    String(decoding: session.rawOutput, as: UTF8.self)
      .replacing(/\u{1B}\][^\u{07}\u{1B}]*\u{07}/, with: "").contains("\u{07}")
  }
}
