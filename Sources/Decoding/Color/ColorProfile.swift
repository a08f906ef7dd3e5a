import CMD5

/// An ICC profile out of a file; equal to every other one of the same bytes.
///
/// The bytes are held once, however often a picture's source is copied, and compared by a digest (MD5, RFC 1321) that
/// is made once. Two forged profiles with the same digest would be taken for one: no harm beyond wrong colours.
package final class ColorProfile: Hashable, Sendable {
  /// No camera or program writes a larger one.
  static let mostBytes = 8 << 20

  let bytes: [UInt8]
  let digest: SIMD16<UInt8>

  /// Nil where there are no bytes, or too many for a profile, which are not copied.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes else { return nil }
    self.bytes = Array(bytes)
    var context = MD5_CTX()
    MD5Init(&context)
    MD5Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    var digest = [UInt8](repeating: 0, count: 16)
    MD5Final(&digest, &context)
    self.digest = SIMD16(digest)
  }

  package static func == (a: ColorProfile, b: ColorProfile) -> Bool { a.digest == b.digest }
  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
