import TerminalGraphics

/// The value of `--tmux`, which is optional.
enum TmuxArgument {
  private static let option = "--tmux"

  /// Joins the option and its value: the next word is the value only if it can't be anything else.
  static func folded(_ arguments: [String]) -> [String] {
    var folded: [String] = []
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      if word == "--" { return folded + [word] + arguments[index...] }
      guard word == option else {
        folded.append(word)
        continue
      }
      if index < arguments.count, PopupPlacement.isMeant(by: arguments[index]) {
        folded.append("\(option)=\(arguments[index])")
        index += 1
      } else {
        folded.append("\(option)=\(PopupPlacement.Position.center.rawValue)")
      }
    }
    return folded
  }

  /// - Throws: `ArgumentProblem` for an invalid value.
  static func placement(_ word: String) throws(ArgumentProblem) -> PopupPlacement {
    guard let placement = PopupPlacement(word) else {
      let positions = PopupPlacement.Position.allCases.map(\.rawValue).joined(separator: "|")
      throw ArgumentProblem("'\(word)' is not a position; expected [\(positions)][,WIDTH[%]][,HEIGHT[%]]")
    }
    return placement
  }
}
