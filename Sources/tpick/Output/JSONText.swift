import FoundationEssentials
import System

/// Writes values as JSON.
enum JSONText {
  /// A value as one line without its end, and without characters that act on a terminal: wherever it goes, it may end
  /// on one, and to whoever parses it it is the same.
  /// - Throws: `Failure` if a value can't be encoded, such as a number that is not finite.
  static func line(_ value: some Encodable) throws(Failure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return ControlCharacters.escaped(json: Array(try encoder.encode(value)))
    } catch {
      throw .error("JSON: \(error)")
    }
  }
}
