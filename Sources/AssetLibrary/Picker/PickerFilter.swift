/// A condition on assets, composed of named filters with any, all and not.
///
///     let shown = PickerFilter.all([.matching(.images), .not(.matching(.screenshots))])
///     let same = try PickerFilter(parsing: "all(images, !screenshots)")
public enum PickerFilter: Hashable, Sendable {
  /// Assets that match a named filter.
  case matching(Name)
  /// Assets that match at least one of the filters; none if there are no filters.
  case any([PickerFilter])
  /// Assets that match all of the filters; all if there are no filters.
  case all([PickerFilter])
  /// Assets that don't match the filter.
  indirect case not(PickerFilter)

  /// The named filters: PhotoKit's first, then tpick's own.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    /// Images of any kind, including Live Photos.
    case images
    /// Videos.
    case videos
    /// Photos with a short video.
    case livePhotos
    /// Photos that belong to a burst.
    case bursts
    /// Panoramas.
    case panoramas
    /// Images of a screen.
    case screenshots
    /// Videos of a screen.
    case screenRecordings
    /// Photos with depth data.
    case depthEffectPhotos
    /// Videos with a simulated depth of field.
    case cinematicVideos
    /// Slow-motion videos.
    case slomoVideos
    /// Time-lapse videos.
    case timelapseVideos
    /// Stereoscopic photos and videos.
    case spatialMedia
    /// Images with several frames.
    case animated
    /// Raw photos.
    case raw
    /// Photos and videos with high dynamic range.
    case hdr
    /// Photos taken with the front camera.
    case selfies
    /// Photos with a long exposure.
    case longExposures
    /// Assets that the user marked as favorites.
    case favorites
    /// Assets that the user hid.
    case hidden
    /// Assets with an edited version.
    case edited
    /// Assets with a known location.
    case geotagged
  }

  /// Returns whether `asset` matches.
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

  /// Returns whether the filter explicitly includes assets that match `name`, rather than excluding them with
  /// a negation.
  ///
  /// `all(images,hidden)` and `!!hidden` mention `hidden`; `images` and `!hidden` don't.
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

/// PHPicker's filters under their names.
extension PickerFilter {
  /// Images of any kind, including Live Photos.
  public static let images = PickerFilter.matching(.images)
  /// Videos.
  public static let videos = PickerFilter.matching(.videos)
  /// Photos with a short video.
  public static let livePhotos = PickerFilter.matching(.livePhotos)
  /// Photos that belong to a burst.
  public static let bursts = PickerFilter.matching(.bursts)
  /// Panoramas.
  public static let panoramas = PickerFilter.matching(.panoramas)
  /// Images of a screen.
  public static let screenshots = PickerFilter.matching(.screenshots)
  /// Videos of a screen.
  public static let screenRecordings = PickerFilter.matching(.screenRecordings)
  /// Photos with depth data.
  public static let depthEffectPhotos = PickerFilter.matching(.depthEffectPhotos)
  /// Videos with a simulated depth of field.
  public static let cinematicVideos = PickerFilter.matching(.cinematicVideos)
  /// Slow-motion videos.
  public static let slomoVideos = PickerFilter.matching(.slomoVideos)
  /// Time-lapse videos.
  public static let timelapseVideos = PickerFilter.matching(.timelapseVideos)
  /// Stereoscopic photos and videos.
  public static let spatialMedia = PickerFilter.matching(.spatialMedia)

  /// Returns a filter for assets that are played in a certain way.
  ///
  /// No filter matches videos that repeat, nor what can't be played: nothing is shown.
  /// - Parameter style: how the assets are played.
  public static func playbackStyle(_ style: PlaybackStyle) -> PickerFilter {
    switch style {
    case .image: .all([.images, .not(.livePhotos), .not(.matching(.animated))])
    case .imageAnimated: .all([.images, .matching(.animated), .not(.livePhotos)])
    case .livePhoto: .livePhotos
    case .video: .videos
    case .videoLooping, .unsupported: .any([])
    }
  }

  /// Returns a filter for assets that match at least one of the filters.
  public static func any(of filters: [PickerFilter]) -> PickerFilter { .any(filters) }

  /// Returns a filter for assets that match all of the filters.
  public static func all(of filters: [PickerFilter]) -> PickerFilter { .all(filters) }
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
  /// The filter as text for the user: "images only".
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
  /// The name as separate words: "livePhotos" as "live photos".
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
  /// Parses an expression: `a,b` and `any(a,b)` = or, `all(a,b)` = and, `not(a)` and `!a` = not.
  ///
  /// The case of names and the spaces between words are ignored.
  /// - Throws: `PickerFilterError` with the word that can't be parsed.
  public init(parsing expression: String) throws(PickerFilterError) {
    var parser = PickerFilterParser(expression)
    self = try parser.expression()
  }
}

/// A recursive-descent parser of filter expressions.
private struct PickerFilterParser {
  /// The maximum nesting, deeper than any useful expression; it bounds the recursion.
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

/// A syntax error in a filter expression.
public enum PickerFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A word is not the name of a filter.
  case unknownName(String)
  /// A list of filters is empty, or has an empty element.
  case emptyList
  /// The first text was found where `expected` is required.
  case unexpected(String, expected: String)

  /// The error as a message for the user, with the names of all filters.
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
