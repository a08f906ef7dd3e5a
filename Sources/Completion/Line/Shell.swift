/// A shell that completes.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
