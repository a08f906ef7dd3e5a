import ArgumentParser
import CPlatform
import PhotoPicker
import System

/// The program: its subcommands, and the dispatch of its arguments.
@main
struct Tpick: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick",
    abstract: SubcommandName.pick.abstract,
    discussion: """
      The default subcommand is pick. For a folder named like a subcommand write ./list.
      """,
    version: ProgramVersion.current,
    subcommands: [
      Pick.self, List.self, Run.self, Albums.self, Mark.self, Changes.self, Info.self, Show.self,
      Add.self, TrashCommand.self, Access.self, Remote.self, Cache.self, Config.self, Completions.self,
    ])

  static func main() {
    SandboxLauncher.launchIfAsked()
    allocator_return_large_blocks()
    let arguments = PopupGuest.arguments.map(ArgumentBytes.text)
    if arguments.first == CompletionRequest.word,
      CompletionRequest.answer(Array(arguments.dropFirst()), of: Self.self)
    {
      ExitStatus.success.end()
    }
    let given = TmuxArgument.folded(ExecArguments.folded(arguments))
    let call = SubcommandCall(given, of: Self.self, default: Pick.self)
    if let problem = call.problem { end(problem, help: call.helpCommand) }
    do {
      var command = try ArgumentParsing.command(of: call)
      try command.run()
      ExitStatus.success.end()
    } catch {
      end(ArgumentParsing.failure(error, of: call), help: call.helpCommand)
    }
  }

  /// Prints the error and exits.
  private static func end(_ failure: Failure, help: String) -> Never {
    Messages.warn(failure.message)
    if failure.status == .usage { StandardStream.error.write(Array("Try '\(help)'.\n".utf8)) }
    failure.status.end()
  }
}

/// The version that `--version` prints.
enum ProgramVersion {
  static let current = PackageVersion.current
}
