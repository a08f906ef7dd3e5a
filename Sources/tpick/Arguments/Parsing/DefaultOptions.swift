import Results

#if canImport(Glibc)
  import Glibc
#endif

/// The options that the user always wants, from the environment.
enum DefaultOptions {
  static let variable = "TPICK_DEFAULT_OPTS"

  /// The words of the variable, split as a shell splits them, without anything that a shell expands.
  /// - Throws: `Failure` where a quote is not closed.
  static func words() throws(Failure) -> [String] {
    guard let value = getenv(variable) else { return [] }
    do {
      let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
      return try CommandWords.words(of: bytes).map(ArgumentBytes.text)
    } catch {
      throw .usage("\(variable): \(error)")
    }
  }
}
