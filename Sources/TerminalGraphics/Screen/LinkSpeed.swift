/// How fast the terminal takes pictures, and what follows for them.
///
/// A write says little: drivers, SSH and the terminal all keep megabytes that nobody has seen yet. So a
/// question goes out behind what a frame sends, and its answer tells when all of it was drawn. What the link carried is
/// judged as TCP's BBR does (Cardwell et al., 2016): bytes by the time from the answer before, or from when they could
/// have arrived at the earliest. Pure: times come from outside, as durations since any fixed moment.
package struct LinkSpeed: Hashable, Sendable {
  /// The question behind the pictures (DSR 5): terminals answer it with `CSI 0 n` since the VT100.
  ///
  /// Not all of them: `TerminalProbe` asks it once, to know.
  package static let question: [UInt8] = Array("\u{1B}[5n".utf8)
  package static let answer: [UInt8] = Array("\u{1B}[0n".utf8)
  /// Fewer bytes are not asked about on a link that is fast or not known: they tell nothing, and hold nothing up.
  package static let worthAsking = 16_384
  /// After this long an answer counts as lost.
  package static let answerTimeout: Duration = .seconds(5)

  /// What is under way.
  private struct Pending: Hashable {
    var bytes: Int
    var began: Duration
    /// The last of several writes.
    var lastBytes: Int
    var lastBegan: Duration
  }

  /// What was asked about, the oldest first.
  private var pending: [Pending] = []
  /// What was sent since the last question.
  private var unasked: Pending?
  private var lastAnswer: Duration?
  private var lostInARow = 0
  private var samples = 0
  /// How many bytes the answers were for; those of a large one count in part.
  private var judgedBytes = 0
  /// The shortest time from a question to its answer.
  private var roundTrip: Duration?
  /// Smoothed; nil before the first answer.
  package private(set) var bytesPerSecond: Double?
  /// What the link can carry.
  package private(set) var quality = PictureQuality.full
  /// Whether a coarse picture is to be sent before the one that is meant.
  package private(set) var isSlow = false
  /// How many answers in a row would have allowed for more.
  private var promotions = 0

  private let isRemote: Bool

  /// - Parameters:
  ///   - roundTrip: how long an answer to nothing but the question took.
  ///   - bytesPerSecond: what was known of the link before.
  ///   - isRemote: whether the terminal is known to be on another machine.
  package init(roundTrip: Duration? = nil, bytesPerSecond: Double? = nil, isRemote: Bool = false) {
    self.roundTrip = roundTrip
    self.bytesPerSecond = bytesPerSecond
    self.isRemote = isRemote
    guard let bytesPerSecond else { return }
    isSlow = bytesPerSecond < slowBelow
    quality = quality(at: bytesPerSecond)
  }

  // MARK: What may be sent

  /// How many bytes may be on their way: what is sent next waits for them.
  private var window: Int {
    guard let bytesPerSecond else { return Self.firstWindow }
    let seconds = (roundTrip?.inSeconds ?? 0) + Self.backlog
    return max(Self.leastWindow, Int(min(bytesPerSecond * seconds, 1e9)))
  }

  /// How many bytes go out before anything is known.
  private static let firstWindow = 16_384
  private static let leastWindow = 4096
  /// How many seconds a key waits for what is on its way, beside the time that the link itself takes.
  private static let backlog = 0.06

  /// How many more bytes of pictures may be sent at a time; none while they would only queue behind older ones.
  package func room(at now: Duration) -> Int {
    let underway = pending.filter { now - $0.began < Self.answerTimeout }.reduce(0) { $0 + $1.bytes }
    // A terminal that is near and fast gets a frame whole, and the next one when it has drawn that.
    guard isSlow || isFar else { return underway == 0 ? .max : 0 }
    if underway == 0 { return window }
    // What a long way carries is known in a moment.
    return bytesPerSecond == nil ? 0 : max(0, window - underway - (unasked?.bytes ?? 0))
  }

  /// Whether an answer has yet to come.
  package var isAwaitingAnswer: Bool { !pending.isEmpty }

  /// Whether to ask behind so many bytes: not where nothing is answered.
  /// - Parameter isMore: whether more is to be sent as soon as there is room.
  package func shouldAsk(after bytes: Int, isMore: Bool = false) -> Bool {
    guard lostInARow < 2, pending.count < Self.mostPending else { return false }
    if isMore, pending.isEmpty { return true }
    return bytes + (unasked?.bytes ?? 0) >= leastAsked
  }

  private var leastAsked: Int {
    if isSlow { return min(Self.worthAsking, window / 3) }
    // The first text already tells what a long way carries.
    return bytesPerSecond == nil && isFar ? Self.least : Self.worthAsking
  }

  private static let mostPending = 8

  /// Whether answers take so long that it is the way rather than a terminal on a busy machine.
  private var isFar: Bool { isRemote || roundTrip.map { $0 >= .milliseconds(30) } ?? false }

  // MARK: What was sent

  /// Bytes were sent.
  /// - Parameter began: when the first of them was.
  package mutating func sent(_ bytes: Int, began: Duration) {
    guard bytes > 0 else { return }
    if let before = unasked, !pending.isEmpty || began - before.began < Self.pause {
      unasked = Pending(
        bytes: before.bytes + bytes, began: before.began, lastBytes: bytes, lastBegan: began)
    } else {
      unasked = Pending(bytes: bytes, began: began, lastBytes: bytes, lastBegan: began)
    }
  }

  /// What was sent longer ago than this tells nothing about the link: it has been idle since.
  private static let pause: Duration = .milliseconds(50)

  /// The question was sent behind it.
  package mutating func asked() {
    guard let unasked else { return }
    pending.append(unasked)
    self.unasked = nil
  }

  /// The answer to the oldest question came.
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

  /// Time has passed; an answer that has not come by now is lost, and so are those that were asked for before it.
  package mutating func expire(at now: Duration) {
    guard let oldest = pending.first, now - oldest.began >= Self.answerTimeout else { return }
    lostInARow += 1
    addSample(of: oldest, at: now)
    pending.removeAll { now - $0.began >= Self.answerTimeout }
  }

  // MARK: What follows

  private func rate(of bytes: Int, began: Duration, at now: Duration) -> Double {
    let total = now - began
    let arrival = began + (roundTrip ?? .zero)
    let elapsed = max(now - max(arrival, lastAnswer ?? arrival), total / 8, .microseconds(100))
    return Double(bytes) / elapsed.inSeconds
  }

  private mutating func addSample(of sent: Pending, at now: Duration) {
    if sent.bytes < Self.least { return }
    // Where writes were apart from each other, the link waited for them; the last one alone says more then.
    let rate = max(
      rate(of: sent.bytes, began: sent.began, at: now),
      rate(of: sent.lastBytes, began: sent.lastBegan, at: now))
    // The fewer the bytes the more of the time was spent on something else.
    let weight = 0.5 * min(1, Double(sent.bytes) / Double(Self.telling))
    bytesPerSecond = bytesPerSecond.map { $0 + weight * (rate - $0) } ?? rate
    if sent.bytes >= Self.telling { samples += 1 }
    judgedBytes += min(sent.bytes, Self.startingBytes)
    guard let speed = bytesPerSecond else { return }
    let carried = quality(at: speed)
    // One slow answer may be a busy machine, unless the way is long. A terminal that has just been started can take
    // half a second for some kilobytes, and that more than once.
    let isKnown = samples >= 2 && (isFar || carried <= .small || judgedBytes >= Self.startingBytes)
    if isKnown || isFar || isSlow { isSlow = speed < (isSlow ? 2 * slowBelow : slowBelow) }
    // Other sizes of pictures begin with an empty screen.
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

  /// Fewer bytes say nothing, and only so many enough to change how pictures are made.
  private static let least = 1024
  private static let telling = 8192
  /// So many bytes a terminal that is near may take slowly before it is taken for slow.
  private static let startingBytes = 262_144

  /// Bytes a second: over a network below this a large picture takes a tenth of a second and more.
  ///
  /// A terminal that is near draws as slowly on a busy machine; two pictures for one would only add to its work.
  private var slowBelow: Double { isFar ? 2e6 : 300_000 }

  /// What a number of bytes a second carries.
  ///
  /// A screen of coarse pictures is about 200 KB and should come within some seconds. Fewer colours are
  /// seen by everyone, and stay when the terminal is fast again: they are for links that need them. One that is near has
  /// drafts until its machine is less busy, and then what any terminal has.
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
  /// The length in seconds.
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
