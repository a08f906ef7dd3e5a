import ArgumentParser
import CAllocator

#if canImport(Glibc)
  import Glibc
#endif

/// The entry point: runs the subcommand and exits with its status.
@main
enum Tpick {
  /// Names reserved for future subcommands; a folder of such a name is written `./run`.
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
        throw .usage("\(word): not implemented yet; for a folder of that name write ./\(word)")
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

  /// Parses the arguments of a command; exits after printing help or the version.
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
