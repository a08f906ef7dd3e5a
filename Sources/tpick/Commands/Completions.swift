import ArgumentParser
import Completion

/// `tpick completions SHELL`: prints the script that completes tpick's words in a shell.
struct Completions: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .completions,
    usage: "tpick completions bash|zsh|fish",
    discussion: """
      Where the output goes, for one user:

        bash  ~/.local/share/bash-completion/completions/tpick, or without bash-completion a file that ~/.bashrc sources

        zsh   _tpick in a folder of fpath, such as ~/.zfunc with fpath+=(~/.zfunc) before compinit

        fish  ~/.config/fish/completions/tpick.fish

      For all users: share/bash-completion/completions/tpick, share/zsh/site-functions/_tpick and \
      share/fish/vendor_completions.d/tpick.fish below /usr or /usr/local. For this shell alone: \
      source <(tpick completions bash), or tpick completions fish | source.
      """)

  @Argument(help: ArgumentHelp("The shell.", valueName: "shell"))
  var shell: Shell

  func perform() throws(Failure) -> ExitStatus {
    guard StandardStream.output.write(Array(CompletionScript.text(for: shell).utf8)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}

extension Shell: WordArgument {}
