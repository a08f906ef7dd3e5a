import ArgumentParser
import CAllocator

#if canImport(Glibc)
  import Glibc
#endif

/// The program: finds the subcommand, runs it, ends with its status.
@main
enum Tpick {
  /// Words that are subcommands or are going to be: a folder of such a name is written `./list`.
  private static let reserved: Set<String> = ["access", "run"]

  static func main() {
    allocator_return_large_blocks()
    var arguments = ArgumentBytes.ofProcess.map(ArgumentBytes.text)
    let word = arguments.first ?? ""
    if ["pick", "list", "albums", "info", "show", "cache", "config"].contains(word) {
      arguments.removeFirst()
    }
    do throws(Failure) {
      if reserved.contains(word) {
        throw .usage("\(word): this subcommand is not there yet; a folder of that name is written ./\(word)")
      }
      let status =
        switch word {
        case "list": try parse(List.self, arguments).perform()
        case "albums": try parse(Albums.self, arguments).perform()
        case "info": try parse(Info.self, arguments).perform()
        case "show": try parse(Show.self, arguments).perform()
        case "cache": try parse(Cache.self, arguments).perform()
        case "config": try parse(Config.self, arguments).perform()
        default: try parse(Pick.self, arguments).perform()
        }
      exit(status.rawValue)
    } catch {
      Messages.warn(error.message)
      if error.status == .usage {
        let help =
          ["list", "albums", "info", "show", "cache", "config"].contains(word)
          ? "tpick \(word) --help" : "tpick --help"
        StandardStream.error.write(Array("Try '\(help)'.\n".utf8))
      }
      exit(error.status.rawValue)
    }
  }

  /// The parsed command; help and version end the program here.
  private static func parse<Command: ParsableCommand>(
    _ type: Command.Type, _ arguments: [String]
  ) throws(Failure) -> Command {
    do {
      return try type.parse(arguments)
    } catch {
      if type.exitCode(for: error) == .success {
        StandardStream.output.write(Array((type.fullMessage(for: error) + "\n").utf8))
        exit(ExitStatus.success.rawValue)
      }
      throw .usage(type.message(for: error))
    }
  }
}
