/// What is to be read of an open file.
package struct ReportRequest: Hashable, Sendable {
  /// How the file is to be taken.
  package enum Kind: UInt8, Hashable, Sendable {
    /// As a picture or a video, whatever its first bytes say.
    case medium = 0
    /// As an XMP packet beside one.
    case sidecar = 1
    /// As a picture or a video of a format that only heavy libraries know.
    case foreign = 2
  }

  package var kind: Kind
  /// The file's length in bytes.
  package var byteCount: Int

  package init(_ kind: Kind, byteCount: Int) {
    self.kind = kind
    self.byteCount = byteCount
  }

  func write(to wire: inout WireWriter) {
    wire.put(kind.rawValue)
    wire.put(UInt64(clamping: byteCount))
  }

  init(from wire: inout WireReader) throws(WireError) {
    guard let kind = Kind(rawValue: try wire.integer()),
      let count = Int(exactly: try wire.integer(UInt64.self))
    else { throw WireError() }
    self.init(kind, byteCount: count)
  }
}
