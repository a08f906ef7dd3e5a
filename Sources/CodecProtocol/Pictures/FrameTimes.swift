/// Which frames come too late to be shown.
package struct FrameTimes: Hashable, Sendable {
  /// Microseconds from the beginning; a frame that ends by then is left out.
  package var until: Int64
  /// No more than so many are left out in a row.
  package var most: UInt32

  package init(until: Int64 = 0, most: UInt32 = 0) {
    self.until = until
    self.most = most
  }
}

extension FrameTimes {
  func write(to wire: inout WireWriter) {
    wire.put(until)
    wire.put(most)
  }

  init(from wire: inout WireReader) throws(WireError) {
    until = try wire.integer()
    most = try wire.integer()
  }
}
