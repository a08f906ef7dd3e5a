import ArgumentParser
import CAllocator

#if canImport(Glibc)
  import Glibc
#endif

/// The entry point: runs the subcommand and exits with its status.
@main
enum Tpick {
  private static let types: [any ParsableCommand.Type] = [
    Pick.self, List.self, Albums.self, Info.self, Show.self, Cache.self, CacheWarm.self, Config.self,
  ]

  static func main() {
    allocator_return_large_blocks()
    let given = TmuxArgument.folded(ExecArguments.folded(PopupGuest.arguments.map(ArgumentBytes.text)))
    let command = CommandWord(given, of: types)
    let (word, arguments) = (command.name ?? "", command.arguments)
    do throws(Failure) {
      if CommandName.reserved.contains(word) {
        throw .usage("\(word): not implemented yet; for a folder of that name write ./\(word)")
      }
      let status =
        switch CommandName(rawValue: word) ?? .pick {
        case .pick: try parse(Pick.self, arguments).perform()
        case .list: try parse(List.self, arguments).perform()
        case .albums: try parse(Albums.self, arguments).perform()
        case .info: try parse(Info.self, arguments).perform()
        case .show: try parse(Show.self, arguments).perform()
        case .cache: try cache(arguments)
        case .config: try parse(Config.self, arguments, folds: false).perform()
        }
      end(status)
    } catch {
      Messages.warn(error.message)
      if error.status == .usage {
        let command = CommandName(rawValue: word) ?? .pick
        let help = command == .pick ? "tpick --help" : "tpick \(command.rawValue) --help"
        StandardStream.error.write(Array("Try '\(help)'.\n".utf8))
      }
      end(error.status)
    }
  }

  private static func end(_ status: ExitStatus) -> Never {
    PopupGuest.current?.answer(.status(status.rawValue))
    exit(status.rawValue)
  }

  /// Carries out an action of `cache`: one of them has sources and options of its own.
  private static func cache(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let action = CommandWord(arguments, of: [Cache.self, CacheWarm.self], names: [CacheWarm.word])
    return action.name == nil
      ? try parse(Cache.self, arguments, folds: false).perform()
      : try parse(CacheWarm.self, action.arguments).perform()
  }

  /// The options of which many may be given.
  private static let repeatable: Set<String> = ["--preselect", "--allow", "--filter", "--bind"]

  /// Parses the arguments of a command; exits after printing help or the version.
  /// - Parameter folds: whether the command takes any number of words, which it unfolds.
  private static func parse<Command: ParsableCommand>(
    _ type: Command.Type, _ arguments: [String], folds: Bool = true
  ) throws(Failure) -> Command {
    do {
      return try type.parse(
        folds ? ArgumentFolding.folded(arguments, repeatable: repeatable) : arguments)
    } catch {
      if type.exitCode(for: error) == .success {
        StandardStream.output.write(Array((type.fullMessage(for: error) + "\n").utf8))
        exit(ExitStatus.success.rawValue)
      }
      throw .usage(type.message(for: error))
    }
  }
}
