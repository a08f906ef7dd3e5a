/// Where a search looks for words.
public struct SearchFields: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
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
  /// The path as it was given, with the file name.
  public static let path = SearchFields(rawValue: 1 << 7)
  /// What the file name ends with: to complete searches with, as conditions ask for it.
  public static let fileExtension = SearchFields(rawValue: 1 << 8)

  /// Where a word is looked for that names no field.
  public static let all: SearchFields = [.fileName, .album, .camera, .lens, .keywords, .title, .people]
}
