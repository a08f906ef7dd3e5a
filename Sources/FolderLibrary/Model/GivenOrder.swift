import AssetLibrary
import SystemPackage

/// The places of a library's sources in the order in which they were named.
struct GivenOrder: Sendable {
  /// What was named after a stream of sources comes after all that the stream may bring.
  private static let afterStream = 1 << 40

  private var places: [PathDigest: Int] = [:]

  /// - Parameter stream: how many sources were named before those that come one by one; nil where none do.
  init(_ sources: [FilePath] = [], stream: Int? = nil) {
    for (place, source) in sources.enumerated() {
      add(source.bytes, place: place < stream ?? .max ? place : place + Self.afterStream)
    }
  }

  /// Adds a source, unless it was named before.
  mutating func add(_ path: [UInt8], place: Int) {
    let digest = PathDigest(path: path)
    if places[digest] ?? .max > place { places[digest] = place }
  }

  /// The place of a source by its path; nil for what is none.
  func place(of path: [UInt8]) -> Int? { places[PathDigest(path: path)] }
}
