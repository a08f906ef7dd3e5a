/// How fast the terminal takes pictures, and what follows for them.
///
/// A write says little: drivers, SSH and the terminal all keep megabytes that nobody has seen yet. So a
/// question goes out behind the pictures of a frame, and its answer tells when they were all drawn. Pure:
/// times come from outside, as durations since any fixed moment.
package struct LinkSpeed: Hashable, Sendable {
  /// The question behind the pictures (DSR 5): terminals answer it with `CSI 0 n` since the VT100.
  ///
  /// Not all of them: `TerminalProbe` asks it once, to know.
  package static let question: [UInt8] = Array("\u{1B}[5n".utf8)
  /// Frames with fewer bytes of pictures are not asked about: they tell nothing, and hold nothing up.
  package static let worthAsking = 16_384
  /// After this long an answer counts as lost.
  package static let answerTimeout: Duration = .seconds(5)

  /// What is under way.
  private struct Pending: Hashable {
    var bytes: Int
    var began: Duration
  }

  private var pending: Pending?
  private var lostInARow = 0
  private var samples = 0
  /// Smoothed; nil before the first answer.
  private(set) var bytesPerSecond: Double?
  /// What the link can carry.
  package private(set) var quality = PictureQuality.full
  /// How many answers in a row would have allowed for more.
  private var promotions = 0

  package init() {}

  /// Whether pictures are still on their way at a time: newer ones would only queue behind them.
  package func isBusy(at now: Duration) -> Bool {
    pending.map { now - $0.began < Self.answerTimeout } ?? false
  }

  /// Whether an answer has yet to come.
  package var isAwaitingAnswer: Bool { pending != nil }

  /// Whether to ask behind a frame: not where nothing is answered.
  package func shouldAsk(after bytes: Int) -> Bool {
    bytes >= Self.worthAsking && pending == nil && lostInARow < 2
  }

  /// The question was sent behind a frame.
  /// - Parameters:
  ///   - bytes: what its pictures took.
  ///   - began: when its first byte was sent.
  package mutating func asked(after bytes: Int, began: Duration) {
    pending = Pending(bytes: bytes, began: began)
  }

  /// The answer came.
  package mutating func answered(at now: Duration) {
    guard let pending else { return }
    self.pending = nil
    lostInARow = 0
    addSample(bytes: pending.bytes, over: now - pending.began)
  }

  /// Time has passed; an answer that has not come by now is lost.
  package mutating func expire(at now: Duration) {
    guard let pending, now - pending.began >= Self.answerTimeout else { return }
    self.pending = nil
    lostInARow += 1
    addSample(bytes: pending.bytes, over: now - pending.began)
  }

  private mutating func addSample(bytes: Int, over time: Duration) {
    let seconds = max(1e-4, Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    let rate = Double(bytes) / seconds
    bytesPerSecond = bytesPerSecond.map { ($0 + rate) / 2 } ?? rate
    samples += 1
    // One slow answer may be a busy machine.
    guard samples >= 2, let speed = bytesPerSecond else { return }
    let carried = Self.quality(at: speed)
    if carried < quality {
      quality = carried
      promotions = 0
    } else if Self.quality(at: speed / 2) > quality {
      promotions += 1
      if promotions >= 3, let next = PictureQuality(rawValue: quality.rawValue + 1) {
        quality = next
        promotions = 0
      }
    } else {
      promotions = 0
    }
  }

  /// What a number of bytes a second carries.
  ///
  /// A screen full of pictures is about half a megabyte and should come within two seconds. Fewer colours are
  /// seen by everyone: they are for links that need them.
  private static func quality(at speed: Double) -> PictureQuality {
    switch speed {
    case ..<40_000: .blocks
    case ..<120_000: .small
    case ..<300_000: .speed
    default: .full
    }
  }
}
