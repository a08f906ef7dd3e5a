/// What is on this machine of a resource whose bytes are elsewhere: enough to show a small picture of it.
public struct PartialResource: Sendable {
  /// The resource as far as its small picture goes: where in the bytes that lies, and how it is turned.
  public var resource: AssetResource
  public var reader: any ResourceReader

  public init(_ resource: AssetResource, reader: any ResourceReader) {
    self.resource = resource
    self.reader = reader
  }
}
