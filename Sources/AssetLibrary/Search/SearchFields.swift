/// Where a search looks for words.
public struct SearchFields: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let fileName = SearchFields(rawValue: 1 << 0)
  /// The titles of the user's albums that hold the asset, and of all folders that they lie in.
  public static let album = SearchFields(rawValue: 1 << 1)
  public static let camera = SearchFields(rawValue: 1 << 2)
  public static let lens = SearchFields(rawValue: 1 << 3)
  public static let keywords = SearchFields(rawValue: 1 << 4)
  /// Title and caption.
  public static let title = SearchFields(rawValue: 1 << 5)
  public static let people = SearchFields(rawValue: 1 << 6)

  public static let all: SearchFields = [.fileName, .album, .camera, .lens, .keywords, .title, .people]
}
