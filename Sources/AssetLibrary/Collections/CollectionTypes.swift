/// Several types of collections.
public struct CollectionTypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let album = CollectionTypes(rawValue: 1 << 0)
  public static let smartAlbum = CollectionTypes(rawValue: 1 << 1)
  public static let moment = CollectionTypes(rawValue: 1 << 2)

  /// What a list of albums shows.
  public static let `default`: CollectionTypes = [.smartAlbum, .album]
  public static let all: CollectionTypes = [.smartAlbum, .album, .moment]
}
