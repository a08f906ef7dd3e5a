package import SystemPackage

/// The two files of a Live Photo.
package struct LivePhoto: Hashable, Sendable {
  package var still: FilePath
  package var clip: FilePath

  package init(still: FilePath, clip: FilePath) {
    self.still = still
    self.clip = clip
  }
}
