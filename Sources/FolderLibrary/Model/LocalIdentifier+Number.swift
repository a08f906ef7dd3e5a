import AssetLibrary

extension LocalIdentifier {
  /// Thirteen letters and digits at most: short enough for Swift to keep without memory of its own.
  init(number: UInt64) {
    // As `String(number, radix: 36)`, which takes three times as long.
    self.init(
      rawValue: String(unsafeUninitializedCapacity: 13) { buffer in
        var (rest, count) = (number, 0)
        repeat {
          let digit = UInt8(truncatingIfNeeded: rest % 36)
          buffer[count] = digit < 10 ? 0x30 + digit : 0x57 + digit
          rest /= 36
          count += 1
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        digits.reverse()
        return count
      })
  }

  var number: UInt64? { UInt64(rawValue, radix: 36) }
}
