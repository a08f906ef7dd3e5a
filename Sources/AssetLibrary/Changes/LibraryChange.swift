/// What changed in a library, and with it what an observer has to ask again.
///
/// A notice stands for everything that happened since the one before. What became of a certain answer tells
/// `AssetManager.changeDetails`.
public struct LibraryChange: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Assets or collections: fetches may give something else.
  public static let contents = LibraryChange(rawValue: 1 << 0)
  /// How far the library is known, or what is said of it as a whole.
  public static let status = LibraryChange(rawValue: 1 << 1)
  /// What the client may see: fetches may give something else.
  public static let access = LibraryChange(rawValue: 1 << 2)
}
