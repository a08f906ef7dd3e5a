/// Takes the datasets of places out of IPTC's records.
///
/// Format: IPTC-NAA Information Interchange Model 4.2.
enum IPTCFilter {
  /// Content location, city, sublocation, state, country's code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// The datasets that are left, up to the first thing that is none.
  static func filtered(_ bytes: [UInt8], by stripping: MetadataPolicy.Stripping) -> [UInt8] {
    datasets(bytes, by: stripping).kept
  }

  /// The same, and whether all of them could be read: zeros may stand behind them.
  static func datasets(
    _ bytes: [UInt8], by stripping: MetadataPolicy.Stripping
  ) -> (kept: [UInt8], isWhole: Bool) {
    if stripping == .all { return ([], true) }
    var kept: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      guard length < 0x8000, at + 5 + length <= bytes.count else { break }
      let (record, number) = (bytes[at + 1], bytes[at + 2])
      // Envelope and application record; others are pictures.
      let isPlain = record == 1 || record == 2 && number < 200
      if isPlain, stripping == .nothing || record == 1 || !places.contains(number) {
        kept += bytes[at..<at + 5 + length]
      }
      at += 5 + length
    }
    return (kept, bytes[min(at, bytes.count)...].allSatisfy { $0 == 0 })
  }
}
