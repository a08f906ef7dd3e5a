import ArgumentParser
import Results
import System

/// The options of the picker that the user always wants, from the environment.
///
/// The parser reads one list of arguments. These are read alone first, so that what is wrong with them is told of the
/// variable, and so that a word of theirs can't become a source.
enum DefaultOptions {
  static let variable = "TPICK_DEFAULT_OPTS"

  /// The words of the variable, split as a shell splits them, without anything that a shell expands.
  /// - Parameter command: the picker, which has to take them by themselves.
  /// - Throws: `Failure` for anything but whole options.
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
