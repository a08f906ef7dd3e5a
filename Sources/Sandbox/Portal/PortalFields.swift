/// Strings of bytes, each ended by NUL, which none of them holds.
enum PortalFields {
  static func joined(_ fields: [[UInt8]]) -> [UInt8] {
    fields.flatMap { field in field.filter { $0 != 0 } + [0] }
  }

  /// - Returns: nil where there is none, or the last one is not ended.
  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.last == 0 else { return nil }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }
}
