import CXML

/// Has the program's XML parser take a packet apart: it takes no more memory than an honest packet of that length needs.
enum XMPParser {
  typealias StartHandler =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Void
  typealias TextHandler = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32) -> Void

  /// What a parser takes for the shortest packet, and more.
  private static let least = 1 << 20

  /// What keeps others from guessing how names are hashed; one for all spares a system call a packet.
  private static let salt = (0..<16).map { _ in UInt8.random(in: 0...UInt8.max) }

  /// Parses the first `count` bytes of a packet as a whole document.
  /// - Parameter user: what the handlers get; kept until the end.
  /// - Returns: whether it is one; the handlers have seen what stands before a defect.
  static func parse(_ packet: [UInt8], count: Int, _ handlers: xml_handlers, user: AnyObject) -> Bool {
    withExtendedLifetime(user) {
      withUnsafePointer(to: handlers) { handlers in
        packet.withUnsafeBytes { bytes in
          // What is read is kept once, in blocks of twice the length; attributes have an entry each besides.
          xml_parse(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 8 * packet.count + least,
            salt, handlers, Unmanaged.passUnretained(user).toOpaque())
        }
      }
    }
  }
}
