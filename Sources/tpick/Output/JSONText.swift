import FoundationEssentials
import System

/// Writes values as JSON.
enum JSONText {
  /// A value as one line without a line end.
  ///
  /// Characters that affect terminals are escaped, because the output may end up on one; the parsed value is the same.
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
