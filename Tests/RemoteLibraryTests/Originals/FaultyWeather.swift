import Fixtures
import RemoteServers

/// The network faults of one run, all derived from a seed.
struct FaultyWeather {
  let script: FaultScript
  /// A file that is replaced after `after` downloads were requested; nil = none is.
  let change: (file: Int, after: Int, keepsSize: Bool)?
  /// The number of requested downloads after which the server is unreachable for a moment; nil = never.
  let goneAfter: Int?

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rules = (0..<Int.random(in: 1...4, using: &random)).map { _ -> FaultScript.Rule in
      FaultScript.Rule(
        Self.fault(using: &random), target: "GET ", after: Int.random(in: 0...3, using: &random),
        count: Int.random(in: 1...4, using: &random), share: Double.random(in: 0.3...1, using: &random))
    }
    script = FaultScript(rules, seed: random.next())
    let hasChange = Int.random(in: 0..<3, using: &random) == 0
    let (file, after) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
    let keepsSize = Bool.random(using: &random)
    change = hasChange ? (file, after, keepsSize) : nil
    let hasGap = Int.random(in: 0..<5, using: &random) == 0
    let gap = Int.random(in: 0..<6, using: &random)
    goneAfter = hasGap ? gap : nil
  }

  private static func fault(using random: inout SeededGenerator) -> Fault {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .cut(afterBytes: Int.random(in: 0..<60_000, using: &random), resets: Bool.random(using: &random))
    case 1: .cut(afterBytes: Int.random(in: 0..<2000, using: &random))
    case 2: .delay(milliseconds: Int.random(in: 1...40, using: &random))
    case 3: .answer(status: [500, 502, 503].randomElement(using: &random) ?? 500)
    case 4: .answer(status: 403)
    case 5: .answer(status: 429, retryAfter: Bool.random(using: &random) ? 0 : nil)
    case 6: .contentLength(changedBy: Int.random(in: -3000...3000, using: &random))
    default: .drip(bytesPerSecond: Int.random(in: 200_000...800_000, using: &random))
    }
  }
}
