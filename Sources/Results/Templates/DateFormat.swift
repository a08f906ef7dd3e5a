import AssetLibrary

/// A way to write a date, in the conversions of `strftime`.
///
/// POSIX's, with GNU's flags `-` (no padding), `_` (blanks) and `0`, and `%:z`. Written here because the result must
/// not depend on the locale: scripts read it, and files are named by it. `%Z` is missing, since no photo says what its
/// zone is called.
struct DateFormat: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text([UInt8])
    /// A slash that the caller wrote, which makes a folder in the name of a copy.
    case slash
    case conversion(UInt8, DatePadding?)
    /// With a colon between hours and minutes.
    case offset
  }

  let pieces: [Piece]

  /// - Throws: `FormatError` for an unknown conversion.
  init(_ format: [UInt8]) throws(FormatError) {
    var pieces: [Piece] = []
    var rest = format[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        pieces.append(byte == UInt8(ascii: "/") ? .slash : .text([byte]))
        continue
      }
      if rest.starts(with: ":z".utf8) {
        rest = rest.dropFirst(2)
        pieces.append(.offset)
        continue
      }
      let padding = rest.first.flatMap(DatePadding.init)
      if padding != nil { rest.removeFirst() }
      guard let letter = rest.popFirst(), Self.letters.contains(letter) else {
        let given = String(decoding: format, as: UTF8.self)
        let known = Self.letters.map { "%" + String(decoding: [$0], as: UTF8.self) }.joined(separator: " ")
        throw FormatError("unknown conversion in the date format '\(given)'; conversions are \(known) %:z")
      }
      if let whole = Self.composites[letter] {
        // Those of a conversion are part of how a date is written.
        pieces += try DateFormat(Array(whole.utf8)).pieces.map {
          $0 == .slash ? .text([UInt8(ascii: "/")]) : $0
        }
      } else {
        pieces.append(.conversion(letter, padding))
      }
    }
    self.pieces = pieces
  }

  private static let letters = Array("YCymbBhdejHkIlMSpPaAuwVGgUWFDRTrcxXzsnt%".utf8)

  /// What stands for several others, in the POSIX locale.
  private static let composites: [UInt8: String] = [
    UInt8(ascii: "F"): "%Y-%m-%d", UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "x"): "%m/%d/%y",
    UInt8(ascii: "R"): "%H:%M", UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "X"): "%H:%M:%S",
    UInt8(ascii: "r"): "%I:%M:%S %p", UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y",
  ]

  func bytes(of date: AssetDate) -> [UInt8] { Array(parts(of: date).joined(separator: [UInt8(ascii: "/")])) }

  /// What stands before, between and behind the slashes that the caller wrote.
  func parts(of date: AssetDate) -> [[UInt8]] {
    let fields = DateFields(date)
    var parts: [[UInt8]] = []
    var part: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let bytes): part += bytes
      case .slash:
        parts.append(part)
        part = []
      case .offset: part += fields.offset(separator: ":").utf8
      case .conversion(let letter, let padding): part += fields.text(of: letter, padding).utf8
      }
    }
    return parts + [part]
  }
}
