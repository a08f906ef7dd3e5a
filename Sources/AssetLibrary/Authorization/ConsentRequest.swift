/// Who asks for access, and why; what the consent prompt says.
public struct ConsentRequest: Hashable, Sendable {
  public var client: String
  public var purpose: String?
  public var level: AccessLevel

  public init(client: String, purpose: String? = nil, level: AccessLevel = .readWrite) {
    self.client = client
    self.purpose = purpose
    self.level = level
  }
}
