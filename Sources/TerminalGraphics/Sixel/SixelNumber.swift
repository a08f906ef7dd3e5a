/// The digits of a number, ready to be stored at once.
struct SixelNumber {
  private let text: UInt64
  let length: Int

  init(_ number: Int) {
    var (text, length, rest) = (UInt64(0), 0, number)
    repeat {
      text = text << 8 | UInt64(48 + rest % 10)
      length += 1
      rest /= 10
    } while rest > 0
    (self.text, self.length) = (text, length)
  }

  /// A letter and the digits, and zeros up to eight bytes.
  @inline(__always)
  func word(after letter: UInt8) -> UInt64 { (text &<< 8 | UInt64(letter)).littleEndian }
}
