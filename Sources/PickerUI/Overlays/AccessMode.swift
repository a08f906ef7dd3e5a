/// Whose eyes a question to the library is for.
package enum AccessMode: Hashable, Sendable {
  /// The client's, who gets what is picked: confined to what it was granted.
  case picking
  /// The user's own, while choosing the photos that the client may see: everything.
  case managing
}
