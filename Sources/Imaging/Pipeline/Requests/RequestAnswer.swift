package import AssetLibrary

/// What a waiting request is told.
package struct RequestAnswer: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// What the job or the download that ended has given.
    case outcome
    /// The original is only remote, and no network may be used.
    case unreachable
  }

  package var id: ImageRequestID
  package var content: Content
  package var isLast: Bool
  /// Whether it is a picture at hand of an original that is only remote.
  package var isInCloud: Bool

  package init(id: ImageRequestID, content: Content, isLast: Bool, isInCloud: Bool = false) {
    self.id = id
    self.content = content
    self.isLast = isLast
    self.isInCloud = isInCloud
  }
}
