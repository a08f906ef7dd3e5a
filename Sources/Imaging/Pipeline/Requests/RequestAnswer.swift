import AssetLibrary

/// What a waiting request is told.
struct RequestAnswer: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// What the job or the download that ended has given.
    case outcome
    /// The original is only remote, and no network may be used.
    case unreachable
  }

  var id: ImageRequestID
  var content: Content
  var isLast: Bool
  /// Whether it is a picture at hand of an original that is only remote.
  var isInCloud: Bool

  init(id: ImageRequestID, content: Content, isLast: Bool, isInCloud: Bool = false) {
    self.id = id
    self.content = content
    self.isLast = isLast
    self.isInCloud = isInCloud
  }
}
