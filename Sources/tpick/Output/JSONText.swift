import FoundationEssentials
import TerminalText

/// Writes values as JSON.
enum JSONText {
  /// A value as one line without its end, on a terminal without characters that act on it.
  /// - Throws: `Failure` if a value can't be encoded, such as a number that is not finite.
  static func line(_ value: some Encodable) throws(Failure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let bytes = Array(try encoder.encode(value))
      return StandardStream.output.isTerminal ? ControlCharacters.escaped(json: bytes) : bytes
    } catch {
      throw .error("JSON: \(error)")
    }
  }
}
