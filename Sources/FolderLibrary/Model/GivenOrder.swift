import AssetLibrary
import SystemPackage

/// The places of a library's sources in the order in which they were named.
struct GivenOrder: Sendable {
  private var places: [[UInt8]: Int] = [:]

  init(_ sources: [FilePath] = []) {
    for (place, source) in sources.enumerated() where places[source.bytes] == nil {
      places[source.bytes] = place
    }
  }

  /// The place of a source by its path; nil for what is none.
  func place(of path: [UInt8]) -> Int? { places[path] }
}
