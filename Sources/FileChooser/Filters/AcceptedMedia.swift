import AssetLibrary
import MediaFormats

/// Which of the formats that tpick knows a program accepts.
package enum AcceptedMedia: Hashable, Sendable {
  case anything
  /// Values for `--accept`: MIME types, kinds such as `image/*`, and suffixes such as `.heic`.
  case types([String])
  /// None of the formats that tpick knows, for example only documents.
  case nothing
}

extension AcceptedMedia {
  /// Converts a filter of the portal; without one, anything is accepted.
  package init(_ filter: ChooserFilter?) {
    guard let filter else {
      self = .anything
      return
    }
    var words: [String] = []
    for rule in filter.rules {
      switch Self(rule) {
      case .anything:
        self = .anything
        return
      case .types(let types): words += types.filter { !words.contains($0) }
      case .nothing: break
      }
    }
    self = words.isEmpty ? .nothing : .types(words)
  }

  private init(_ rule: ChooserFilter.Rule) {
    switch rule {
    case .glob(let text): self.init(glob: text)
    case .mimeType(let text): self.init(mimeType: text)
    }
  }

  private init(mimeType: String) {
    let type = mimeType.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    if ["*/*", "application/octet-stream", "all/all", "all/allfiles"].contains(type) {
      self = .anything
      return
    }
    // A comma would separate values of `--accept`.
    guard type.contains("/"), !type.contains(","), let accepted = try? AcceptedTypes(parsing: type),
      FileFormat.allCases.contains(where: accepted.admits)
    else {
      self = .nothing
      return
    }
    self = .types([type])
  }

  /// Returns the formats whose extensions a file name pattern admits.
  ///
  /// The part of the pattern before the extension is ignored: `IMG_*.jpg` admits every JPEG.
  private init(glob: String) {
    let pattern = GlobPattern(glob).anyStem
    let suffixes = FileFormat.allCases.flatMap(\.suffixes)
    let admitted = suffixes.filter { suffix in
      pattern.matches("photo.\(suffix)") || pattern.matches("PHOTO.\(suffix.uppercased())")
    }
    if admitted.isEmpty {
      self = .nothing
    } else if admitted.count == suffixes.count {
      self = .anything
    } else {
      self = .types(admitted.map { ".\($0)" })
    }
  }

  /// Returns whether a file of this name is accepted, or can be converted to an accepted format.
  package func isServed(by name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."),
      let format = FileFormat(suffix: String(name[name.index(after: dot)...]))
    else { return false }
    switch self {
    case .anything: return true
    case .nothing: return false
    case .types(let words):
      guard let accepted = try? AcceptedTypes(parsing: words.joined(separator: ",")) else { return false }
      if accepted.admits(format) { return true }
      return format.isVideo
        ? accepted.admits(.mp4) : accepted.admits(.jpeg) || accepted.admits(.png)
    }
  }
}

/// A file filter as programs describe it to the portal: `(sa(us))`.
package struct ChooserFilter: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case glob(String)
    case mimeType(String)
  }

  /// The displayed name, such as "Images".
  package var name: String
  package var rules: [Rule]

  package init(name: String, rules: [Rule]) {
    self.name = name
    self.rules = rules
  }
}

extension ChooserFilter {
  /// Nil for a value of another type.
  package init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 2, let name = fields[0].string,
      let rules = fields[1].elements
    else { return nil }
    self.init(name: name, rules: rules.compactMap(Rule.init))
  }

  package var value: BusValue {
    .structure([.string(name), .array(element: "(us)", rules.map(\.value))])
  }
}

extension ChooserFilter.Rule {
  /// Rule kinds that the interface does not define match nothing.
  fileprivate init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 2, let kind = fields[0].number,
      let text = fields[1].string
    else { return nil }
    switch kind {
    case 0: self = .glob(text)
    case 1: self = .mimeType(text)
    default: return nil
    }
  }

  fileprivate var value: BusValue {
    switch self {
    case .glob(let text): .structure([.number(0), .string(text)])
    case .mimeType(let text): .structure([.number(1), .string(text)])
    }
  }
}

/// A shell pattern for file names: `*`, `?`, `[a-z]`, `[!a]`, and a backslash to escape a character.
///
/// Case-sensitive: programs write `*.[jJ][pP][gG]` to match both cases.
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

  /// Parses a set up to its closing bracket; without one, returns nil and consumes nothing.
  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Piece? {
    var inside = rest
    var isInverted = false
    if let first = inside.first, first == "!" || first == "^" {
      isInverted = true
      inside.removeFirst()
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inside.popFirst() {
      // A bracket in first place is a member.
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

  /// The pattern with everything before its last dot replaced by `*`; unchanged if it has no dot.
  var anyStem: GlobPattern {
    guard let dot = pieces.lastIndex(of: .scalar(".")) else { return self }
    var pattern = self
    pattern.pieces = [.any] + pieces[dot...]
    return pattern
  }

  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    // The last star, and the first character after its match. After a mismatch it suffices to extend the
    // match of the last star, so earlier ones are never tried again.
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
