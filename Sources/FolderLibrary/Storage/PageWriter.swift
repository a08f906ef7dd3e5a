/// Puts numbers and rows one after another.
struct PageWriter {
  var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }

  mutating func append<Row: BitwiseCopyable>(rowsOf rows: [Row]) {
    rows.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}
