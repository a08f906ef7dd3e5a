/// In which shape picked assets are handed over.
///
/// A value: what is changed for one result changes no other.
public struct RepresentationOptions: Hashable, Sendable {
  /// What is taken out of the metadata.
  public enum Stripping: String, CaseIterable, Hashable, Sendable {
    case nothing
    /// Where it was taken, and whatever can't be checked for that.
    case location
    /// Everything that is not needed to show it.
    case all
  }

  public var mode = RepresentationMode.automatic
  /// What the consumer can take; nil = anything.
  public var acceptedTypes: AcceptedTypes?
  /// The quality of JPEGs, 1 to 100; nil = as they are, and `standardQuality` for those that are made.
  public var quality: Int?
  /// The most pixels of a longer side; nil = as many as there are.
  public var longestSide: Int?
  /// The most bytes of a picture; nil = any number.
  public var byteCount: Int64?
  public var stripping = Stripping.nothing

  /// The quality of JPEGs of which nothing else is said.
  public static let standardQuality = 85

  public init() {}

  /// Whether every asset is handed over as its file is.
  public var isPlain: Bool {
    mode != .compatible && acceptedTypes == nil && quality == nil && longestSide == nil && byteCount == nil
      && stripping == .nothing
  }
}
