/// The scripts that have the shells ask the program for what a word can become.
///
/// They are the same for every version: what there is to complete, the program says when it is asked.
package enum CompletionScript {
  /// The script of a shell.
  package static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }
}
