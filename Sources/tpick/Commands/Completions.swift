import ArgumentParser
import Completion
import System

/// `tpick completions SHELL`: prints the completion script for a shell.
struct Completions: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .completions,
    usage: "tpick completions bash|zsh|fish",
    discussion: """
      Where to put the output, for one user:

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

/// The request of the completion scripts: `tpick __complete SHELL LINE [REGION]`.
enum CompletionRequest {
  /// The first argument of such a request, not listed in any help.
  static let word = "__complete"

  /// Prints the completions of the word at the end of a command line.
  /// - Parameter arguments: the arguments after that word: the shell, the line up to the cursor, and the word according
  ///   to bash.
  /// - Returns: whether this was such a request; otherwise the word is the name of a file.
  static func answer(_ arguments: [String], of root: any ParsableCommand.Type) -> Bool {
    guard (2...3).contains(arguments.count), let shell = Shell(rawValue: arguments[0]),
      let table = CommandTable(json: root._dumpHelp())
    else { return false }
    let line = CompletionLine(arguments[1], shell: shell) { name in
      getenv(name).map {
        ArgumentBytes.text(
          Array(UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:))))
      }
    }
    let completer = Completer(table, standard: SubcommandName.pick.rawValue, albums: AlbumCandidates.names)
    let region = arguments.count > 2 ? arguments[2] : nil
    let lines = completer.answer(for: line).lines(for: line, replacing: region)
    StandardStream.output.write(lines.flatMap { ArgumentBytes.bytes($0) + [0x0A] })
    return true
  }
}
