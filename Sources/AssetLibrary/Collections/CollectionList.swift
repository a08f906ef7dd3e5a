/// A folder of albums, or of further lists.
public struct CollectionList: Identifiable, Hashable, Sendable {
  public var localIdentifier: LocalIdentifier
  public var title: String
  /// The list that holds it; nil for one that lies in none.
  public var parent: LocalIdentifier?
  /// How deep it lies below its source, 0 for the source itself.
  public var depth: Int

  public init(
    localIdentifier: LocalIdentifier, title: String, parent: LocalIdentifier? = nil, depth: Int = 0
  ) {
    self.localIdentifier = localIdentifier
    self.title = title
    self.parent = parent
    self.depth = depth
  }

  public var id: LocalIdentifier { localIdentifier }
}
