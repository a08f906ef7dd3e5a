/// How soon a picture is wanted: the cursor's preview before what is in sight, that before guesses.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  case prefetch, preheat, visible, preview

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}
