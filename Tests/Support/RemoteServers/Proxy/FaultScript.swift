import Fixtures

/// Decides what happens to each request: the same for the same requests in the same order.
///
/// The first matching rule applies; without one the request passes.
package struct FaultScript: Sendable {
  /// A fault, and the requests that it applies to.
  package struct Rule: Sendable {
    package var fault: Fault
    /// Text in the request line, such as "GET /a.jpg"; `nil`: any request.
    ///
    /// Only for HTTP.
    package var target: String?
    /// The number of matching requests that pass first.
    package var after: Int
    /// The number of times it applies; `nil`: every time.
    package var count: Int?
    /// The randomly chosen share of requests.
    package var share: Double

    package init(
      _ fault: Fault, target: String? = nil, after: Int = 0, count: Int? = nil, share: Double = 1
    ) {
      self.fault = fault
      self.target = target
      self.after = after
      self.count = count
      self.share = share
    }

    /// Whether it applies to this request; counts it.
    fileprivate mutating func meets(_ line: String?, _ random: inout SeededGenerator) -> Bool {
      if let target, line?.contains(target) != true { return false }
      guard after == 0 else {
        after -= 1
        return false
      }
      guard count != 0, share >= 1 || Double.random(in: 0..<1, using: &random) < share else { return false }
      count = count.map { $0 - 1 }
      return true
    }
  }

  private var rules: [Rule]
  private var random: SeededGenerator

  /// Creates a script of rules, with a seed for random choices.
  package init(_ rules: [Rule] = [], seed: UInt64 = 1) {
    self.rules = rules
    random = SeededGenerator(seed: seed)
  }

  /// A script that applies the same fault to every request.
  package static func always(_ fault: Fault, seed: UInt64 = 1) -> FaultScript {
    FaultScript([Rule(fault)], seed: seed)
  }

  /// A script that applies a fault `count` times, and then none.
  package static func times(_ count: Int, _ fault: Fault) -> FaultScript {
    FaultScript([Rule(fault, count: count)])
  }

  /// Bad network conditions: one in three requests meets some fault; bytes that do arrive are the server's.
  /// - Parameter isHTTP: Whether requests can be distinguished; otherwise faults apply to connections.
  package static func mixed(seed: UInt64, isHTTP: Bool) -> FaultScript {
    var rules: [Rule] = [
      Rule(.cut(afterBytes: 20_000), share: 0.08), Rule(.cut(afterBytes: 300, resets: true), share: 0.04),
      Rule(.stall(afterBytes: 10_000), share: 0.03), Rule(.delay(milliseconds: 700), share: 0.06),
      Rule(.drip(bytesPerSecond: 30_000), share: 0.06),
    ]
    if isHTTP {
      rules += [
        Rule(.answer(status: 500), share: 0.06), Rule(.answer(status: 429, retryAfter: 1), share: 0.03),
        Rule(.contentLength(changedBy: 500), share: 0.04),
      ]
    }
    return FaultScript(rules, seed: seed)
  }

  var needsHTTP: Bool { rules.contains { $0.fault.needsHTTP || $0.target != nil } }

  /// The fault for the next request, and a generator for its random choices.
  mutating func next(for line: String?) -> (fault: Fault, random: SeededGenerator) {
    let own = SeededGenerator(seed: random.next())
    for index in rules.indices where rules[index].meets(line, &random) {
      return (rules[index].fault, own)
    }
    return (.pass, own)
  }
}
