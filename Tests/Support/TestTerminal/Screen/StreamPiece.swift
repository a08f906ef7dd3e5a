/// One piece of a program's output to its terminal.
///
/// String payloads are without introducer and terminator.
package enum StreamPiece: Equatable, Sendable {
  /// Printable text and C0 controls.
  case text([UInt8])
  /// An escape sequence other than a CSI or a string introducer, with its ESC.
  case escape([UInt8])
  /// A complete control sequence.
  case csi(ControlSequence)
  /// The payload of a device control string: a sixel picture, or a setting query.
  case dcs([UInt8])
  /// The payload of an application program command: kitty's graphics.
  case apc([UInt8])
  /// The payload of an operating system command, and whether BEL ended it instead of ST.
  case osc([UInt8], endedByBell: Bool)
  /// The payload of a privacy message or a start of string, which no terminal shows.
  case ignored([UInt8])
  /// A sequence cut short by CAN, SUB, another ESC or the end of the stream, from its ESC on.
  case aborted([UInt8])
}

/// A control sequence: `CSI`, private marker, parameters, intermediates, final byte.
package struct ControlSequence: Equatable, Sendable {
  /// The bytes of the sequence, from its ESC on.
  package let bytes: [UInt8]

  /// Wraps a complete sequence, which begins with ESC and `[` and ends with its final byte.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The final byte, which determines the function.
  package var final: UInt8 { bytes.last ?? 0 }

  /// The marker `?`, `>`, `=` or `<` of a private sequence.
  package var marker: UInt8? {
    bytes.count > 2 && (0x3C...0x3F).contains(bytes[2]) ? bytes[2] : nil
  }

  /// The bytes between the parameters and the final byte.
  package var intermediates: [UInt8] {
    bytes.dropFirst(2).filter { (0x20...0x2F).contains($0) }
  }

  /// The parameters; a missing one is 0, and of subparameters only the first counts.
  package var parameters: [Int] {
    let digits = bytes.dropFirst(marker == nil ? 2 : 3).prefix { (0x30...0x3B).contains($0) }
    if digits.isEmpty { return [] }
    return digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { group in
      var value = 0
      for byte in group.prefix(while: { $0 != UInt8(ascii: ":") }) {
        value = min(value * 10 + Int(byte - 0x30), 1_000_000)
      }
      return value
    }
  }

  /// The number of parameters and subparameters.
  package var parameterCount: Int {
    bytes.lazy.filter { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }.count + 1
  }

  /// Whether it is the sequence with these bytes around its parameters, for example `"?h"` or `"$p"`.
  package func matches(_ shape: String) -> Bool {
    var own = [UInt8]()
    if let marker { own.append(marker) }
    own += intermediates
    own.append(final)
    return own.elementsEqual(shape.utf8)
  }
}
