/// A shell pattern of a file's name: `*`, `?`, `[a-z]`, `[!a]`, and a backslash before what stands for itself.
///
/// Upper and lower case are told apart: programs write `*.[jJ][pP][gG]` for that.
struct GlobPattern: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    case one
    case any
    case set([ClosedRange<Unicode.Scalar>], isInverted: Bool)
  }

  private var pieces: [Piece] = []

  init(_ text: String) {
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if pieces.last != .any { pieces.append(.any) }
      case "?": pieces.append(.one)
      case "\\": pieces.append(.scalar(rest.popFirst() ?? scalar))
      case "[": pieces.append(Self.set(&rest) ?? .scalar(scalar))
      default: pieces.append(.scalar(scalar))
      }
    }
  }

  /// What stands up to the closing bracket; nil, and nothing taken, where there is none.
  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Piece? {
    var inside = rest
    var isInverted = false
    if let first = inside.first, first == "!" || first == "^" {
      isInverted = true
      inside.removeFirst()
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inside.popFirst() {
      // The first one closes nothing, so that it can be a member.
      if scalar == "]", !ranges.isEmpty {
        rest = inside
        return .set(ranges, isInverted: isInverted)
      }
      if inside.first == "-", let end = inside.dropFirst().first, end != "]", end >= scalar {
        ranges.append(scalar...end)
        inside.removeFirst(2)
      } else {
        ranges.append(scalar...scalar)
      }
    }
    return nil
  }

  /// The same with any stem before the last dot; unchanged where there is no dot.
  var anyStem: GlobPattern {
    guard let dot = pieces.lastIndex(of: .scalar(".")) else { return self }
    var pattern = self
    pattern.pieces = [.any] + pieces[dot...]
    return pattern
  }

  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    // Where the last star stands, and where it began to match: only that one has to give way (no backtracking beyond).
    var (piece, place) = (0, 0)
    var star: (piece: Int, place: Int)?
    while place < name.count {
      if piece < pieces.count, pieces[piece] == .any {
        star = (piece, place)
        piece += 1
      } else if piece < pieces.count, Self.matches(pieces[piece], name[place]) {
        piece += 1
        place += 1
      } else if let last = star {
        star = (last.piece, last.place + 1)
        (piece, place) = (last.piece + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .any }
  }

  private static func matches(_ piece: Piece, _ scalar: Unicode.Scalar) -> Bool {
    switch piece {
    case .scalar(let expected): expected == scalar
    case .one, .any: true
    case .set(let ranges, let isInverted): ranges.contains { $0.contains(scalar) } != isInverted
    }
  }
}
