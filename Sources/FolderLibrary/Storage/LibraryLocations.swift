public import SystemPackage

/// Where a library keeps what outlives a run.
public struct LibraryLocations: Sendable {
  /// For what can be made again.
  public var cache: FilePath
  /// For what can't.
  public var data: FilePath

  public init(cache: FilePath, data: FilePath) {
    self.cache = cache
    self.data = data
  }
}
