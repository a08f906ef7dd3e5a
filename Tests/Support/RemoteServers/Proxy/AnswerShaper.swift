import Fixtures

/// Applies a fault to the bytes of one answer.
struct AnswerShaper {
  /// What happens to the connection.
  enum Outcome: Equatable { case goesOn, stalls, ends(resets: Bool) }

  let fault: Fault
  private var random: SeededGenerator
  /// Bytes forwarded so far.
  private var passed = 0
  /// Bytes of content before the next one that is changed.
  private var gap = 0
  private var hasBegun = false

  init(_ fault: Fault, random: SeededGenerator) {
    self.fault = fault
    self.random = random
    if case .garble(let oneIn) = fault { gap = Int.random(in: 0..<max(1, oneIn), using: &self.random) }
  }

  /// The delay of the current bytes in nanoseconds: only for the first ones of the answer.
  mutating func delay() -> UInt64 {
    guard !hasBegun else { return 0 }
    hasBegun = true
    guard case .delay(let milliseconds) = fault else { return 0 }
    return UInt64(milliseconds) * 1_000_000
  }

  /// Starts another answer to a request on the same connection, with the same fault.
  mutating func beginAnswer() { hasBegun = false }

  /// Changes the header of an answer.
  func shape(_ head: HTTPHead) -> HTTPHead {
    guard case .contentLength(let change) = fault, let length = head.contentLength else { return head }
    var head = head
    head.setContentLength(max(0, length + change))
    return head
  }

  /// Changes or shortens bytes of an answer.
  mutating func shape(_ bytes: inout [UInt8], isContent: Bool) -> Outcome {
    switch fault {
    case .cut(let limit, let resets): return shorten(&bytes, to: limit) ? .ends(resets: resets) : .goesOn
    case .stall(let limit): return shorten(&bytes, to: limit) ? .stalls : .goesOn
    case .garble(let oneIn):
      if isContent { garble(&bytes, oneIn: max(1, oneIn)) }
      return .goesOn
    case .pass, .delay, .drip, .answer, .contentLength: return .goesOn
    }
  }

  /// Whether the answer has reached its limit.
  private mutating func shorten(_ bytes: inout [UInt8], to limit: Int) -> Bool {
    let rest = max(0, limit - passed)
    if bytes.count > rest { bytes.removeLast(bytes.count - rest) }
    passed += bytes.count
    return passed >= limit
  }

  private mutating func garble(_ bytes: inout [UInt8], oneIn: Int) {
    var index = gap
    while index < bytes.count {
      bytes[index] ^= UInt8.random(in: 1 ... .max, using: &random)
      index += 1 + Int.random(in: 0..<max(1, 2 * oneIn - 1), using: &random)
    }
    gap = index - bytes.count
  }
}
