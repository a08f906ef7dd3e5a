/// What a client asks for.
public enum AccessLevel: Int, Hashable, Sendable {
  case addOnly = 1
  case readWrite = 2
}
