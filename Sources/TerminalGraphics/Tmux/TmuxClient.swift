/// What tmux says of the terminal that it is attached to.
package struct TmuxClient: Hashable, Sendable {
  /// What tmux asks of itself, for `display-message`: XTVERSION of the terminal, the option, and its own version.
  package static let format = "#{client_termtype}\n#{allow-passthrough}\n#{version}"

  /// What the terminal answered to tmux.
  package var name: String
  /// Whether tmux passes wrapped sequences on to it.
  var allowsPassthrough: Bool

  /// What tmux calls itself, as it would answer; nil where it does not tell its version.
  var tmuxName: String?

  package init(name: String, allowsPassthrough: Bool, version: String = "") {
    self.name = name
    self.allowsPassthrough = allowsPassthrough
    tmuxName = version.isEmpty ? nil : "tmux \(version)"
  }

  /// Reads the answer to `format`.
  package init(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    self.init(
      name: String(lines.first ?? ""),
      allowsPassthrough: ["on", "all", "1"].contains(lines.dropFirst().first ?? ""),
      version: String(lines.dropFirst(2).first ?? ""))
  }
}
