/// What has to be over, for somebody who looks at a screen, before something less urgent is asked of a server.
package enum AwaitedSight: Sendable {
  /// Somebody looks at something that is to be read, or has done so.
  case firstLook
  /// The first that somebody looks at was read.
  case firstRead
  /// All was read that somebody looks at.
  case read
  /// All was read that somebody looks at, and all folders are listed.
  case readAndListed
}
