import AssetLibrary
import PickerUI
import Pixels

/// The pictures of the screen as a value: which are wanted, which are under way, which are there, and what the image
/// manager is to be told.
///
/// No lock, no clock, no threads: `PictureStore` keeps it under a lock, does what it says, and tells it what came of that.
struct PictureTable: Sendable {
  /// What the image manager is to be told; in this order.
  enum Order: Hashable, Sendable {
    case request(PictureRequest, number: UInt64)
    case setPriority(ImagePriority, ImageRequestID)
    case cancel(ImageRequestID)
  }

  /// A picture and how far it has come.
  private struct Entry: Sendable {
    var picture: ScreenPicture
    var isFinal: Bool
    var status: PictureStatus
  }

  /// Why a picture can't be had, and how often it was requested.
  private struct Failure: Sendable {
    var reason: String
    var count: Int
    /// When it may be requested again; nil = never, since the file itself is the cause.
    var retry: Duration?

    func isFinal(at time: Duration) -> Bool { retry.map { time < $0 } ?? true }

    /// How long to wait before the next request.
    static func pause(after count: Int) -> Duration { .seconds(min(600, 5 << min(count, 8))) }
  }

  /// A request under way.
  private struct Request: Sendable {
    var number: UInt64
    /// What the manager knows it by; nil until the manager was told.
    var id: ImageRequestID?
    var priority: ImagePriority
    var image: ImageRequest

    var allowsNetwork: Bool { image.options.isNetworkAccessAllowed }
  }

  private var entries: CostBoundedCache<PictureKey, Entry>
  private var failures: [PictureKey: Failure] = [:]
  /// The parts of pictures among the entries, the oldest first.
  private var parts: [PictureKey] = []
  /// What was wanted last, the most urgent first.
  private var wants: [PictureRequest] = []
  private var wanted: Set<PictureKey> = []
  /// Whether the picker has forgotten what it was told since.
  private var isForgotten = false
  private var requests: [PictureKey: Request] = [:]
  /// What was answered without an original that is on a server: it is requested again once more is known of it, or once
  /// it may be fetched.
  private var withoutOriginal: [PictureKey: ImageRequest] = [:]
  private var lastVersion: UInt64 = 0
  private var lastNumber: UInt64 = 0
  /// The number of the last request before all pictures were dropped: answers up to it are stale.
  private var lastStale: UInt64 = 0

  /// What is visible, what is to be seen next, and where the user may go back to.
  private static let keptParts = 4

  /// - Parameter cacheLimit: bytes of encoded pictures to keep.
  init(cacheLimit: Int) {
    entries = CostBoundedCache(limit: cacheLimit)
  }

  // MARK: What is wanted

  /// Takes a new list of wanted pictures, the most urgent first; what is not on it is given up.
  ///
  /// The picker remembers what it was told of a picture for as long as it wants it, and is told of what changes: only
  /// what the list before had not is news.
  /// - Returns: what is known of those that are new on the list, and what the manager is to be told.
  mutating func demand(
    _ wants: [PictureRequest], at time: Duration
  ) -> (news: [PictureKey: PictureStatus], orders: [Order]) {
    self.wants = wants
    let keys = Set(wants.map(\.key))
    var news: [PictureKey: PictureStatus] = [:]
    for key in keys where isForgotten || !wanted.contains(key) { news[key] = status(of: key) }
    (wanted, isForgotten) = (keys, false)
    return (news, orders(at: time))
  }

  /// The picker has forgotten what it was told: the next demand tells it of everything.
  mutating func forgetTold() { isForgotten = true }

  /// What the manager is to be told now that some time has passed.
  mutating func retry(at time: Duration) -> [Order] { orders(at: time) }

  private mutating func status(of key: PictureKey) -> PictureStatus? {
    let entry = entries.value(for: key)
    if entry == nil, withoutOriginal[key] != nil { return .inCloud }
    return failures[key].map { .failed(reason: $0.reason) } ?? entry?.status
  }

  /// Requests what is wanted and neither there nor under way, and cancels what is not wanted any more.
  private mutating func orders(at time: Duration) -> [Order] {
    var orders: [Order] = []
    for (key, request) in requests where !wanted.contains(key) {
      cancel(request, &orders)
      requests[key] = nil
    }
    // The newest request runs first: the most urgent is made last.
    for want in wants.reversed() {
      let key = want.key
      let entry = entries.value(for: key)
      if entry?.isFinal ?? false || failures[key]?.isFinal(at: time) ?? false { continue }
      let image = want.request
      let allowsNetwork = image.options.isNetworkAccessAllowed
      if let answered = withoutOriginal[key], answered == image { continue }
      var underWay = requests[key]
      if let request = underWay, request.allowsNetwork != allowsNetwork {
        // The original is not looked at any more, or is now.
        cancel(request, &orders)
        (requests[key], underWay) = (nil, nil)
      }
      // Where an original is fetched, more may be known of the asset by now: its thumbnail may be here.
      let isOutdated = underWay.map { allowsNetwork && entry == nil && $0.image != image } ?? false
      if let underWay, !isOutdated {
        if underWay.priority != want.priority, let id = underWay.id {
          orders.append(.setPriority(want.priority, id))
          requests[key]?.priority = want.priority
        }
        continue
      }
      withoutOriginal[key] = nil
      lastNumber += 1
      requests[key] = Request(number: lastNumber, id: nil, priority: want.priority, image: image)
      orders.append(.request(want, number: lastNumber))
      // Last, so that something always waits for the original.
      if let underWay { cancel(underWay, &orders) }
    }
    return orders
  }

  private func cancel(_ request: Request, _ orders: inout [Order]) {
    if let id = request.id { orders.append(.cancel(id)) }
  }

  /// The manager was told of a request, and knows it by an identifier.
  /// - Returns: whether the request is still under way.
  mutating func began(_ number: UInt64, for key: PictureKey, as id: ImageRequestID) -> Bool {
    guard requests[key]?.number == number else { return false }
    requests[key]?.id = id
    return true
  }

  /// Drops all pictures: what is made from now on is another picture for the same key.
  /// - Returns: what the manager is to be told.
  mutating func removeAll() -> [Order] {
    var orders: [Order] = []
    for request in requests.values { cancel(request, &orders) }
    entries = CostBoundedCache(limit: entries.limit)
    (failures, parts, wants, wanted, requests, withoutOriginal) = ([:], [], [], [], [:], [:])
    lastStale = lastNumber
    return orders
  }

  /// Drops all pictures, and requests the wanted ones again: for keys that stay as they are the picker asks for nothing.
  /// - Returns: what the manager is to be told.
  mutating func remakeAll(at time: Duration) -> [Order] {
    let wants = self.wants
    let orders = removeAll() + demand(wants, at: time).orders
    isForgotten = true
    return orders
  }

  /// Drops the wanted pictures that are not on the screen, so that they are made again.
  /// - Parameter shown: the versions on the screen: these are there, whatever they cost.
  /// - Returns: what the manager is to be told.
  mutating func remake(except shown: Set<UInt64>, at time: Duration) -> [Order] {
    for key in wants.map(\.key) {
      guard let picture = picture(for: key), !shown.contains(picture.version) else { continue }
      entries.removeValue(for: key)
    }
    return orders(at: time)
  }

  // MARK: What there is

  /// Whether visible pictures are on their way.
  var awaitsMoreInSight: Bool { requests.values.contains { $0.priority >= .visible } }

  /// The best picture there is for a key so far.
  mutating func picture(for key: PictureKey) -> ScreenPicture? { entries.value(for: key)?.picture }

  // MARK: Answers

  /// Whether an answer is for the pictures of now.
  func isCurrent(_ number: UInt64) -> Bool { number > lastStale }

  /// Takes a picture.
  /// - Parameters:
  ///   - picture: not numbered yet.
  ///   - isFinal: whether no better one follows.
  ///   - number: of the request; a picture that comes after its request was given up is kept as well.
  /// - Returns: whether it was taken: not one from before all pictures were dropped.
  mutating func add(
    _ picture: ScreenPicture, for key: PictureKey, isFinal: Bool, status: PictureStatus, of number: UInt64
  ) -> Bool {
    guard isCurrent(number) else { return false }
    let picture = picture.numbered(after: &lastVersion)
    entries.insert(Entry(picture: picture, isFinal: isFinal, status: status), for: key, cost: picture.cost)
    failures[key] = nil
    if key.part != nil { keep(part: key) }
    if isFinal { end(number, for: key) }
    return true
  }

  /// Counts a part of a picture, and drops the oldest: panning over a picture leaves many, and what was prefetched of
  /// its neighbors must not go for them.
  private mutating func keep(part: PictureKey) {
    parts.removeAll { $0 == part }
    parts.append(part)
    while parts.count > Self.keptParts { entries.removeValue(for: parts.removeFirst()) }
  }

  /// Takes the answer that the original is not here.
  /// - Returns: whether that is news: a request that was given up tells none, and a picture that is there stays.
  mutating func addMissingOriginal(for key: PictureKey, of number: UInt64) -> Bool {
    guard let request = requests[key], request.number == number else { return false }
    requests[key] = nil
    withoutOriginal[key] = request.image
    return entries.value(for: key) == nil
  }

  /// Takes a failure.
  /// - Returns: when to ask `retry` what there is to do, where it failed for a passing reason; nil where that is never.
  ///   `isNews` is false for a request that was given up.
  mutating func add(
    _ error: AssetError, for key: PictureKey, of number: UInt64, at time: Duration
  ) -> (isNews: Bool, pause: Duration?) {
    guard requests[key]?.number == number else { return (false, nil) }
    requests[key] = nil
    let count = failures[key]?.count ?? 0
    var pause = Failure.pause(after: count)
    // What failed together because there was not enough for all is not requested together again.
    let others = failures.compactMap { $0.key == key ? nil : $0.value.retry }
    for _ in 0..<60
    where others.contains(where: { (.seconds(-1) ..< .seconds(1)).contains(time + pause - $0) }) {
      pause += .seconds(1)
    }
    failures[key] = Failure(
      reason: error.reason, count: count + 1, retry: error.isTransient ? time + pause : nil)
    return (true, error.isTransient ? pause : nil)
  }

  private mutating func end(_ number: UInt64, for key: PictureKey) {
    if requests[key]?.number == number { requests[key] = nil }
  }
}
