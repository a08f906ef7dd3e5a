/// A message that does not keep to the protocol.
struct WireError: Error, Hashable {}
