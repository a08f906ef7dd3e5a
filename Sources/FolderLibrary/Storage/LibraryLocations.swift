package import SystemPackage

/// Where a library keeps what outlives a run.
package struct LibraryLocations: Sendable {
  /// For what can be made again.
  package var cache: FilePath
  /// For what can't.
  package var data: FilePath

  package init(cache: FilePath, data: FilePath) {
    self.cache = cache
    self.data = data
  }
}
