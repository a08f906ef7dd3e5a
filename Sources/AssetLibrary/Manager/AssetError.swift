/// Something about one file or folder that went wrong: the thing, and the reason in words.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder as it should be shown to the user.
  public var subject: String
  /// The cause, as words that follow a colon.
  public var reason: String
  /// Whether the same file may do another time: the cause lies outside of it.
  public var isTransient: Bool

  /// Whether the cause may have been the file all the same: where it happens in several runs, it was.
  public var isStall: Bool

  /// Whether the cause is that there is no room for it on this machine.
  package var isLackOfRoom = false

  public init(_ subject: String, _ reason: String, isTransient: Bool = false, isStall: Bool = false) {
    self.subject = subject
    self.reason = reason
    self.isTransient = isTransient || isStall
    self.isStall = isStall
  }

  public var description: String { "\(Wording.name(subject)): \(reason)" }
}
