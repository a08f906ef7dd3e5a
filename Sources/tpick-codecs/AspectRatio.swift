/// Compares the proportions of a picture and of a smaller version of it.
enum AspectRatio {
  /// Whether a smaller picture may show the whole of a larger one: its sides are in the same relation, but for
  /// the rounding to whole pixels.
  static func match(_ width: Int, _ height: Int, _ wholeWidth: Int, _ wholeHeight: Int) -> Bool {
    guard width > 0, height > 0, wholeWidth > 0, wholeHeight > 0 else { return false }
    let expected = Double(width) * Double(wholeHeight) / Double(wholeWidth)
    let scale = Double(wholeHeight) / Double(wholeWidth)
    return abs(expected - Double(height)) <= 1.5 + scale
  }
}
