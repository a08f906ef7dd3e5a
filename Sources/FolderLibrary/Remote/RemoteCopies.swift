/// What is on this machine of files on servers, by the numbers of their versions.
package struct RemoteCopies: Hashable, Sendable {
  /// Files that are here as a whole.
  package var originals: Set<UInt64> = []
  /// Files of which a thumbnail was made, because they carry none, that is kept here.
  package var madeThumbnails: Set<UInt64> = []
  /// Files whose own thumbnail was kept here and had to make room for others.
  package var lostThumbnails: Set<UInt64> = []

  package init() {}

  /// Whether a thumbnail of a file is here, as far as it is known without a look at the disk.
  /// - Parameter hasOwn: whether the file carries one.
  func hasThumbnail(of version: UInt64, hasOwn: Bool) -> Bool {
    hasOwn && !lostThumbnails.contains(version) || madeThumbnails.contains(version)
  }
}
