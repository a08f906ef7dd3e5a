/// How far a library has been read.
public struct LibraryStatus: Hashable, Sendable {
  /// Whether everything has been seen, or nothing more will be.
  public var isComplete: Bool
  /// Whether the user stopped the first look: not everything was seen.
  public var isStopped = false
  /// How many assets are known so far.
  public var assetCount: Int
  /// What could not be read.
  public var issues: [AssetError]
  /// The sources of which nothing could be read, a server that is down among them, each with its reason.
  public var unreadableSources: [AssetError] = []
  /// Whether these are all sources that the library has.
  public var isUnreadable = false
  /// Messages to the user about the library as a whole, for example that its changes can't be watched.
  public var notes: [String]
  /// Why nothing can be made of the library; nil while something may.
  public var unavailabilityReason: AssetError?
  /// How far the first look at it has come; nil where that is over, or nobody can tell.
  public var progress: LibraryProgress?

  public init(isComplete: Bool, assetCount: Int, issues: [AssetError] = [], notes: [String] = []) {
    self.isComplete = isComplete
    self.assetCount = assetCount
    self.issues = issues
    self.notes = notes
  }
}
