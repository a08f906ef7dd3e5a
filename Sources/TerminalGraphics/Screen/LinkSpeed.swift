/// Measures how fast the terminal displays pictures, and derives their quality.
///
/// The duration of a write says little, because drivers, SSH and the terminal buffer megabytes. So a query
/// follows the output of a frame, and its answer tells when all of it was drawn. The bandwidth is estimated
/// as in TCP's BBR (Cardwell et al., 2016): the bytes divided by the time since the previous answer, or since
/// the earliest possible answer, whichever is later. A value without a clock: times are durations since a
/// fixed moment.
package struct LinkSpeed: Hashable, Sendable {
  /// The query after the pictures (DSR 5): terminals answer it with `CSI 0 n` since the VT100.
  ///
  /// Some do not: `TerminalProbe` tests it once.
  package static let question: [UInt8] = Array("\u{1B}[5n".utf8)
  package static let answer: [UInt8] = Array("\u{1B}[0n".utf8)
  /// Minimum bytes for a query on a link that is fast or unknown: fewer say nothing and delay nothing.
  package static let worthAsking = 16_384
  /// Time after which an answer counts as lost.
  package static let answerTimeout: Duration = .seconds(5)

  /// What the user says of the link.
  package enum Setting: String, Hashable, Sendable {
    /// Every picture is sent whole and in full quality, however late answers are: on a machine whose processors are
    /// busy they say nothing about the link.
    case fast
    /// Drafts precede pictures from the first one on.
    case slow
  }

  /// Output that is not confirmed yet.
  private struct Pending: Hashable {
    var bytes: Int
    var began: Duration
    /// The last of several writes.
    var lastBytes: Int
    var lastBegan: Duration
  }

  /// Output that was queried, oldest first.
  private var pending: [Pending] = []
  /// Output since the last query.
  private var unasked: Pending?
  private var lastAnswer: Duration?
  private var lostInARow = 0
  private var samples = 0
  /// Number of confirmed bytes; of one measurement, at most `startingBytes` count.
  private var judgedBytes = 0
  /// The shortest time from a query to its answer.
  private var roundTrip: Duration?
  /// Smoothed; nil before the first answer.
  package private(set) var bytesPerSecond: Double?
  /// The quality that the link can carry.
  package private(set) var quality = PictureQuality.full
  /// Whether to send drafts before pictures.
  package private(set) var isSlow = false
  /// Number of consecutive answers that would have allowed a higher quality.
  private var promotions = 0

  private let isRemote: Bool
  private let setting: Setting?

  /// - Parameters:
  ///   - roundTrip: time of an answer to nothing but the query.
  ///   - bytesPerSecond: bandwidth measured by an earlier run.
  ///   - isRemote: whether the terminal is known to be on another machine.
  ///   - setting: what the user says; nil = measurements decide.
  package init(
    roundTrip: Duration? = nil, bytesPerSecond: Double? = nil, isRemote: Bool = false, setting: Setting? = nil
  ) {
    self.roundTrip = roundTrip
    self.bytesPerSecond = bytesPerSecond
    self.isRemote = isRemote || setting == .slow
    self.setting = setting
    isSlow = setting == .slow
    guard let bytesPerSecond, setting == nil else { return }
    isSlow = bytesPerSecond < slowBelow
    quality = quality(at: bytesPerSecond)
  }

  // MARK: What may be sent

  /// Number of bytes that may be in flight: later output waits for them.
  private var window: Int {
    guard let bytesPerSecond else { return Self.firstWindow }
    let seconds = (roundTrip?.inSeconds ?? 0) + Self.backlog
    return max(Self.leastWindow, Int(min(bytesPerSecond * seconds, 1e9)))
  }

  /// Number of bytes sent before anything is known.
  private static let firstWindow = 16_384
  private static let leastWindow = 4096
  /// Seconds that a key waits for bytes in flight, in addition to the latency of the link.
  private static let backlog = 0.06

  /// Returns how many more bytes of pictures may be sent now; 0 while they would only queue.
  package func room(at now: Duration) -> Int {
    let underway = pending.filter { now - $0.began < Self.answerTimeout }.reduce(0) { $0 + $1.bytes }
    // A local, fast terminal gets a whole frame, and the next one when it has drawn that.
    guard isSlow || isFar else { return underway == 0 ? .max : 0 }
    if underway == 0 { return window }
    // Wait for the first measurement of a remote link.
    return bytesPerSecond == nil ? 0 : max(0, window - underway - (unasked?.bytes ?? 0))
  }

  /// Whether an answer is pending.
  package var isAwaitingAnswer: Bool { !pending.isEmpty }

  /// Returns whether to query after sending some bytes; false if queries are not answered.
  /// - Parameter isMore: whether more is to be sent as soon as there is room.
  package func shouldAsk(after bytes: Int, isMore: Bool = false) -> Bool {
    guard lostInARow < 2, pending.count < Self.mostPending else { return false }
    if isMore, pending.isEmpty { return true }
    return bytes + (unasked?.bytes ?? 0) >= leastAsked
  }

  private var leastAsked: Int {
    if isSlow { return min(Self.worthAsking, window / 3) }
    // The first text already measures a remote link.
    return bytesPerSecond == nil && isFar ? Self.least : Self.worthAsking
  }

  private static let mostPending = 8

  /// Whether answers take so long that the terminal must be remote rather than on a busy machine.
  private var isFar: Bool {
    setting != .fast && (isRemote || roundTrip.map { $0 >= .milliseconds(30) } ?? false)
  }

  // MARK: What was sent

  /// Notes that bytes were sent.
  /// - Parameter began: when the first of them was sent.
  package mutating func sent(_ bytes: Int, began: Duration) {
    guard bytes > 0 else { return }
    if let before = unasked, !pending.isEmpty || began - before.began < Self.pause {
      unasked = Pending(
        bytes: before.bytes + bytes, began: before.began, lastBytes: bytes, lastBegan: began)
    } else {
      unasked = Pending(bytes: bytes, began: began, lastBytes: bytes, lastBegan: began)
    }
  }

  /// Output before a longer pause says nothing about the link, which has been idle since.
  private static let pause: Duration = .milliseconds(50)

  /// Notes that the query was sent after the output.
  package mutating func asked() {
    guard let unasked else { return }
    pending.append(unasked)
    self.unasked = nil
  }

  /// Notes the answer to the oldest query.
  package mutating func answered(at now: Duration) {
    guard !pending.isEmpty else { return }
    let sent = pending.removeFirst()
    lostInARow = 0
    addSample(of: sent, at: now)
    let total = now - sent.lastBegan
    if let roundTrip {
      self.roundTrip = min(roundTrip, total)
    } else if sent.bytes < Self.least {
      roundTrip = total
    }
    lastAnswer = now
  }

  /// Drops overdue answers, including those to earlier queries.
  package mutating func expire(at now: Duration) {
    guard let oldest = pending.first, now - oldest.began >= Self.answerTimeout else { return }
    lostInARow += 1
    addSample(of: oldest, at: now)
    pending.removeAll { now - $0.began >= Self.answerTimeout }
  }

  // MARK: Conclusions

  private func rate(of bytes: Int, began: Duration, at now: Duration) -> Double {
    let total = now - began
    let arrival = began + (roundTrip ?? .zero)
    let elapsed = max(now - max(arrival, lastAnswer ?? arrival), total / 8, .microseconds(100))
    return Double(bytes) / elapsed.inSeconds
  }

  private mutating func addSample(of sent: Pending, at now: Duration) {
    if sent.bytes < Self.least { return }
    // If there were pauses between the writes, the link was idle; then the last write alone is more accurate.
    let rate = max(
      rate(of: sent.bytes, began: sent.began, at: now),
      rate(of: sent.lastBytes, began: sent.lastBegan, at: now))
    // With few bytes, most of the time is overhead.
    let weight = 0.5 * min(1, Double(sent.bytes) / Double(Self.telling))
    bytesPerSecond = bytesPerSecond.map { $0 + weight * (rate - $0) } ?? rate
    if sent.bytes >= Self.telling { samples += 1 }
    judgedBytes += min(sent.bytes, Self.startingBytes)
    guard let speed = bytesPerSecond, setting != .fast else { return }
    let carried = quality(at: speed)
    // On a local link, one slow answer may be a busy machine. A terminal that has just started can take half a
    // second for some kilobytes, more than once.
    let isKnown = samples >= 2 && (isFar || carried <= .small || judgedBytes >= Self.startingBytes)
    if setting == nil, isKnown || isFar || isSlow { isSlow = speed < (isSlow ? 2 * slowBelow : slowBelow) }
    // Small pictures and blocks replace all pictures on an emptied screen: wait for a reliable measurement.
    guard isKnown || isFar && carried >= .speed else { return }
    if carried < quality {
      quality = carried
      promotions = 0
    } else if quality(at: speed / 2) > quality {
      promotions += 1
      if promotions >= 3, let next = PictureQuality(rawValue: quality.rawValue + 1) {
        quality = next
        promotions = 0
      }
    } else {
      promotions = 0
    }
  }

  /// Minimum bytes for a measurement, and for one with full weight, two of which may change the quality.
  private static let least = 1024
  private static let telling = 8192
  /// Bytes that a local terminal may display slowly before it counts as slow.
  private static let startingBytes = 262_144

  /// Bytes per second: over a network below this, a large picture takes a tenth of a second and more.
  ///
  /// A local terminal draws as slowly on a busy machine; drafts would only add to its work.
  private var slowBelow: Double { isFar ? 2e6 : 300_000 }

  /// Returns the quality for a bandwidth in bytes per second.
  ///
  /// A screen of coarse pictures has about 200 KB and should arrive within some seconds. Reduced colors are
  /// noticeable, and remain on the screen when the link is fast again: so only remote terminals get them. A
  /// local terminal on a busy machine gets drafts, followed by pictures of full quality.
  private func quality(at speed: Double) -> PictureQuality {
    switch speed {
    case ..<20_000: .blocks
    case ..<60_000: .small
    case ..<600_000 where isFar: .speed
    default: .full
    }
  }
}

extension Duration {
  /// The duration in seconds.
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
