/// What the user sees in place of pictures, and why.
package struct GraphicsFallback: Hashable, Sendable {
  /// A short name, the same for the same fallback.
  package let name: String
  /// A sentence for the user.
  package let words: String

  init(_ choice: GraphicsChoice, _ depth: ColorDepth, in environment: TerminalEnvironment) {
    let colors =
      switch depth {
      case .trueColor: ""
      case .monochrome: " without colors"
      case .eight, .sixteen, .palette256: " in \(depth.rawValue) colors"
      }
    name = depth < .palette256 ? "blocks-\(depth.rawValue)" : "blocks"
    // NO_COLOR is the user's own wish.
    let hint =
      depth < .trueColor && environment.variables["NO_COLOR"] == nil
      ? "COLORTERM=truecolor gives more colors" : nil
    words =
      "Pictures are drawn as blocks\(colors): "
      + ([choice.reason] + (hint.map { [$0] } ?? [])).joined(separator: "; ")
  }
}
