/// A condition on assets, put together from names with any, all and not.
///
///     let shown = PickerFilter.all([.matching(.images), .not(.matching(.screenshots))])
///     let same = try PickerFilter(parsing: "all(images, !screenshots)")
public enum PickerFilter: Hashable, Sendable {
  case matching(Name)
  case any([PickerFilter])
  case all([PickerFilter])
  indirect case not(PickerFilter)

  /// The conditions that have a name: Apple's first, then ours.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case images, videos, livePhotos, bursts, panoramas, screenshots, screenRecordings, depthEffectPhotos
    case cinematicVideos, slomoVideos, timelapseVideos, spatialMedia
    case animated, raw, hdr, selfies, longExposures, favorites, hidden, edited, geotagged
  }

  /// Whether `asset` meets the condition.
  @inlinable
  public func matches<A: AssetAttributes>(_ asset: A) -> Bool {
    switch self {
    case .matching(let name): return name.matches(asset)
    case .any(let filters):
      for filter in filters where filter.matches(asset) { return true }
      return false
    case .all(let filters):
      for filter in filters where !filter.matches(asset) { return false }
      return true
    case .not(let filter): return !filter.matches(asset)
    }
  }

  /// Whether the condition asks for what `name` says somewhere, and not only to leave it out.
  ///
  /// `all(images,hidden)` and `!!hidden` mention `hidden`, `images` and `!hidden` do not.
  public func mentions(_ name: Name) -> Bool { mentions(name, isNegated: false) }

  private func mentions(_ name: Name, isNegated: Bool) -> Bool {
    switch self {
    case .matching(let own): own == name && !isNegated
    case .any(let filters), .all(let filters):
      filters.contains { $0.mentions(name, isNegated: isNegated) }
    case .not(let filter): filter.mentions(name, isNegated: !isNegated)
    }
  }
}

extension PickerFilter.Name {
  @inlinable
  func matches<A: AssetAttributes>(_ asset: A) -> Bool {
    switch self {
    case .images: asset.mediaType == .image
    case .videos: asset.mediaType == .video
    case .livePhotos: asset.mediaSubtypes.contains(.livePhoto)
    case .bursts: asset.isInBurst
    case .panoramas: asset.mediaSubtypes.contains(.panorama)
    case .screenshots: asset.mediaSubtypes.contains(.screenshot)
    case .screenRecordings: asset.mediaSubtypes.contains(.screenRecording)
    case .depthEffectPhotos: asset.mediaSubtypes.contains(.depthEffect)
    case .cinematicVideos: asset.mediaSubtypes.contains(.cinematic)
    case .slomoVideos: asset.mediaSubtypes.contains(.slomo)
    case .timelapseVideos: asset.mediaSubtypes.contains(.timelapse)
    case .spatialMedia: asset.mediaSubtypes.contains(.spatial)
    case .animated: asset.mediaSubtypes.contains(.animated)
    case .raw: asset.mediaSubtypes.contains(.raw)
    case .hdr: asset.mediaSubtypes.contains(.hdr)
    case .selfies: asset.mediaSubtypes.contains(.selfie)
    case .longExposures: asset.mediaSubtypes.contains(.longExposure)
    case .favorites: asset.isFavorite
    case .hidden: asset.isHidden
    case .edited: asset.hasAdjustments
    case .geotagged: asset.location != nil
    }
  }
}

extension PickerFilter: CustomStringConvertible {
  /// The filter in plain words, for the screen: "images only".
  public var description: String { "\(words(nested: false)) only" }

  private func words(nested: Bool) -> String {
    switch self {
    case .matching(let name): name.words
    case .any(let filters): Self.join(filters, with: " or ", nested: nested)
    case .all(let filters): Self.join(filters, with: " and ", nested: nested)
    case .not(let filter): "not " + filter.words(nested: true)
    }
  }

  private static func join(_ filters: [PickerFilter], with word: String, nested: Bool) -> String {
    if filters.count == 1 { return filters[0].words(nested: nested) }
    let joined = filters.map { $0.words(nested: true) }.joined(separator: word)
    return nested ? "(\(joined))" : joined
  }
}

extension PickerFilter.Name {
  /// The name in plain words: "livePhotos" as "live photos".
  public var words: String {
    switch self {
    case .raw, .hdr: rawValue.uppercased()
    default:
      rawValue.reduce(into: "") { words, letter in
        if letter.isUppercase { words += " " }
        words += letter.lowercased()
      }
    }
  }
}

extension PickerFilter {
  /// Reads an expression: `a,b` and `any(a,b)` = or, `all(a,b)` = and, `not(a)` and `!a` = not.
  ///
  /// Names in any capitals, blanks anywhere between words.
  public init(parsing expression: String) throws(PickerFilterError) {
    var parser = PickerFilterParser(expression)
    self = try parser.expression()
  }
}

/// A recursive-descent parser of filter expressions.
private struct PickerFilterParser {
  /// Deeper nesting than any human writes; bounds the recursion.
  private static let deepest = 64

  private var rest: Substring

  init(_ text: String) {
    rest = Substring(text)
  }

  mutating func expression() throws(PickerFilterError) -> PickerFilter {
    let filters = try list(depth: 0)
    skipBlanks()
    guard rest.isEmpty else { throw .unexpected("'\(rest)'", expected: "a comma or the end") }
    return filters.count == 1 ? filters[0] : .any(filters)
  }

  private mutating func list(depth: Int) throws(PickerFilterError) -> [PickerFilter] {
    var filters: [PickerFilter] = []
    repeat {
      filters.append(try item(depth: depth))
    } while take(",")
    return filters
  }

  private mutating func item(depth: Int) throws(PickerFilterError) -> PickerFilter {
    guard depth < Self.deepest else { throw .unexpected("'('", expected: "less nesting") }
    if take("!") { return .not(try item(depth: depth + 1)) }
    skipBlanks()
    let word = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    rest = rest.dropFirst(word.count)
    guard !word.isEmpty else {
      guard let next = rest.first, next != ",", next != ")" else { throw .emptyList }
      throw .unexpected("'\(next)'", expected: "a filter")
    }
    if take("(") {
      let inner = try list(depth: depth + 1)
      guard take(")") else {
        throw .unexpected(rest.isEmpty ? "the end" : "'\(rest)'", expected: "')'")
      }
      switch word.lowercased() {
      case "any": return .any(inner)
      case "all": return .all(inner)
      case "not": return .not(inner.count == 1 ? inner[0] : .any(inner))
      default: throw .unexpected("'\(word)('", expected: "any(…), all(…) or not(…)")
      }
    }
    guard let name = Name.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else {
      throw .unknownName(word)
    }
    return .matching(name)
  }

  private typealias Name = PickerFilter.Name

  private mutating func take(_ mark: Character) -> Bool {
    skipBlanks()
    guard rest.first == mark else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0.isWhitespace }
  }
}

/// Why a filter expression can't be used, with the word that is at fault.
public enum PickerFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownName(String)
  case emptyList
  case unexpected(String, expected: String)

  public var description: String {
    let names = PickerFilter.Name.allCases.map(\.rawValue)
    let reason =
      switch self {
      case .unknownName(let word): NearestWord.message(unknown: "filter", word, known: names)
      case .emptyList: "empty list of filters; filters are \(names.joined(separator: ", "))"
      case .unexpected(let found, let expected):
        "found \(found) where \(expected) was expected; filters are \(names.joined(separator: ", "))"
      }
    return "\(reason), put together with any(…), all(…), not(…), ! and commas"
  }
}
