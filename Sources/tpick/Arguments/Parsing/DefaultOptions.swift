import ArgumentParser
import Results
import System

/// The user's default options of the picker, from the environment.
///
/// The parser reads a single list of arguments. The default options are parsed separately first, so that errors name
/// the variable, and so that none of their words becomes a source.
enum DefaultOptions {
  static let variable = "TPICK_DEFAULT_OPTS"

  /// The words of the variable, split like a shell does, without expansions.
  /// - Parameter command: the picker, which must accept them on their own.
  /// - Throws: `Failure` for anything but complete options.
  static func words(of command: any ParsableCommand.Type) throws(Failure) -> [String] {
    guard let value = getenv(variable) else { return [] }
    do {
      let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
      let words = try CommandWords.words(of: bytes).map(ArgumentBytes.text)
      let folded = TmuxArgument.folded(ExecArguments.folded(words))
      guard !folded.isEmpty else { return [] }
      if folded.contains("--") {
        throw Failure.usage("-- is not allowed: all words after it would become sources")
      }
      let alone = try command.parse(folded)
      if let picker = alone as? Pick, let source = picker.library.source.sources.first {
        throw Failure.usage("'\(source)' is not an option")
      }
      return folded
    } catch let failure as Failure {
      throw .usage("\(variable): \(failure.message)")
    } catch  where command.exitCode(for: error) == .success {
      throw .usage("\(variable): --help and --version are not allowed")
    } catch {
      let reason = error is FormatError ? "\(error)" : ParserFault.message(of: error, command)
      throw .usage("\(variable): \(reason)")
    }
  }
}
