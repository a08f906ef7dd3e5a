/// What tmux says of the terminal that it is attached to.
package struct TmuxClient: Hashable, Sendable {
  /// What tmux asks of itself, for `display-message`: XTVERSION of the terminal, and the option.
  package static let format = "#{client_termtype}\n#{allow-passthrough}"

  /// What the terminal answered to tmux.
  package var name: String
  /// Whether tmux passes wrapped sequences on to it.
  var allowsPassthrough: Bool

  package init(name: String, allowsPassthrough: Bool) {
    self.name = name
    self.allowsPassthrough = allowsPassthrough
  }

  /// Reads the answer to `format`.
  package init(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    name = String(lines.first ?? "")
    allowsPassthrough = ["on", "all", "1"].contains(lines.dropFirst().first ?? "")
  }
}
