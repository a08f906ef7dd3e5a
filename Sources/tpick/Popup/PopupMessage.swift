/// What goes through the socket of a popup: strings without NUL bytes, as arguments and environments have them.
enum PopupMessage {
  /// A call of the program, which the process in the popup makes its own.
  struct Call: Equatable {
    var arguments: [[UInt8]]
    /// The variables, each as `NAME=value`.
    var environment: [[UInt8]]
    /// Which permissions new files don't get.
    var mask: UInt32
  }

  /// How the process in the popup ends.
  enum Answer: Equatable {
    case status(Int32)
    /// A command takes its place, on the terminal from which the popup was opened.
    case command([[UInt8]], readsTerminal: Bool)
  }

  static func bytes(of call: Call) -> [UInt8] {
    joined(
      [Array("\(call.mask)".utf8), Array("\(call.arguments.count)".utf8)] + call.arguments + call.environment)
  }

  static func call(_ bytes: [UInt8]) -> Call? {
    let items = split(bytes)
    guard items.count >= 2, let mask = UInt32(text(items[0])), let count = Int(text(items[1])),
      (0...items.count - 2).contains(count)
    else { return nil }
    return Call(
      arguments: Array(items[2..<2 + count]), environment: Array(items[(2 + count)...]), mask: mask)
  }

  static func bytes(of answer: Answer) -> [UInt8] {
    switch answer {
    case .status(let status): joined([Array("status".utf8), Array("\(status)".utf8)])
    case .command(let words, let readsTerminal):
      joined([Array("command".utf8), Array(readsTerminal ? "1".utf8 : "0".utf8)] + words)
    }
  }

  static func answer(_ bytes: [UInt8]) -> Answer? {
    let items = split(bytes)
    guard items.count >= 2 else { return nil }
    switch text(items[0]) {
    case "status": return Int32(text(items[1])).map(Answer.status)
    case "command": return .command(Array(items[2...]), readsTerminal: text(items[1]) == "1")
    default: return nil
    }
  }

  private static func joined(_ items: [[UInt8]]) -> [UInt8] { items.flatMap { $0 + [0] } }

  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
