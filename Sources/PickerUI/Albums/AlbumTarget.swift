import AssetLibrary

/// What a line of the albums stands for.
enum AlbumTarget: Hashable, Sendable {
  case collection(LocalIdentifier)
  /// A folder that holds folders only: unfolded, never shown.
  case list(LocalIdentifier)
  /// What was taken in a year or a month.
  case period(CalendarPeriod)
  /// All that is listed by date: unfolded, never shown.
  case days

  static let recents = AlbumTarget.collection(AssetCollection.recents)

  /// Whether the grid can show it.
  var isShown: Bool {
    switch self {
    case .collection, .period: true
    case .list, .days: false
    }
  }
}

/// One line of the albums.
struct AlbumLine: Hashable, Sendable {
  /// What kind of line it is.
  enum Kind: Hashable, Sendable {
    case heading, blank
    case item(AlbumTarget)
  }

  var kind: Kind
  var title = ""
  var count: Int?
  /// How far it is indented.
  var depth = 0
  var smartAlbum: SmartAlbum?
  /// Whether what it holds is listed below it; nil where it holds nothing to list.
  var isUnfolded: Bool?
  /// The collection whose poster stands for it; nil for dates, which have none.
  var poster: LocalIdentifier?

  var target: AlbumTarget? { if case .item(let target) = kind { target } else { nil } }

  /// The title where it stands alone: a month needs its year to be understood.
  var longTitle: String {
    guard case .period(let period) = target, period.month != nil else { return title }
    return "\(title) \(period.year)"
  }
}
