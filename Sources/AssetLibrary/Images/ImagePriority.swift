/// How soon a picture is wanted.
///
/// Requests below `visible` are prefetching: they begin only when every visible one has begun, on threads that give
/// way to all others.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// May be looked at next, for instance the neighbors of the previewed picture.
  case prefetch
  /// About to scroll into view.
  case preheat
  /// On the screen.
  case visible
  /// What the user is looking at.
  case preview

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}
