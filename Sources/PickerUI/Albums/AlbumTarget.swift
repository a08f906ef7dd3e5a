import AssetLibrary

/// What a line of the sidebar refers to.
enum AlbumTarget: Hashable, Sendable {
  case collection(LocalIdentifier)
  /// A folder that contains only folders: can be expanded but not shown in the grid.
  case list(LocalIdentifier)
  /// The photos of a year or a month.
  case period(CalendarPeriod)
  /// The root of the dates: can be expanded but not shown in the grid.
  case days

  static let recents = AlbumTarget.collection(AssetCollection.recents)

  /// Whether the grid can show it.
  var isShowable: Bool {
    switch self {
    case .collection, .period: true
    case .list, .days: false
    }
  }
}

/// A line of the sidebar.
struct AlbumLine: Hashable, Sendable {
  /// The kind of line.
  enum Kind: Hashable, Sendable {
    case heading, blank
    case item(AlbumTarget)
  }

  var kind: Kind
  var title = ""
  var count: Int?
  /// The indentation level.
  var depth = 0
  var smartAlbum: SmartAlbum?
  /// Whether its children are listed; nil if it has none.
  var isExpanded: Bool?
  /// The collection whose poster is shown; nil for dates, which have none.
  var poster: LocalIdentifier?

  /// The day of a moment.
  var day: CalendarDay?

  var target: AlbumTarget? { if case .item(let target) = kind { target } else { nil } }

  /// The title out of context: months include their year.
  var longTitle: String {
    guard case .period(let period) = target, period.month != nil else { return title }
    return "\(title) \(period.year)"
  }
}
