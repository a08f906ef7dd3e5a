import AssetLibrary
import PickerUI
import Pixels

/// The pictures of the screen as a value: which are wanted, requested and ready, and which orders to give to
/// the image manager.
///
/// No locks, clocks or threads: `PictureStore` keeps it under a lock, performs its orders, and reports their
/// results to it.
struct PictureTable: Sendable {
  /// Orders for the image manager, to be performed in sequence.
  enum Order: Hashable, Sendable {
    case request(PictureRequest, number: UInt64)
    case setPriority(ImagePriority, ImageRequestID)
    case cancel(ImageRequestID)
  }

  /// A picture and its progress.
  private struct Entry: Sendable {
    var picture: ScreenPicture
    var isFinal: Bool
    var status: PictureStatus
  }

  /// Why a picture failed, and how often it was requested.
  private struct Failure: Sendable {
    var reason: String
    var count: Int
    /// When it may be requested again; nil means never, because the file itself is the cause.
    var retry: Duration?

    func isFinal(at time: Duration) -> Bool { retry.map { time < $0 } ?? true }

    /// Returns how long to wait before the next request.
    static func pause(after count: Int) -> Duration { .seconds(min(600, 5 << min(count, 8))) }
  }

  /// A pending request.
  private struct Request: Sendable {
    var number: UInt64
    /// The manager's identifier; nil until the request was made.
    var id: ImageRequestID?
    var priority: ImagePriority
    var image: ImageRequest

    var allowsNetwork: Bool { image.options.isNetworkAccessAllowed }
  }

  private var entries: CostBoundedCache<PictureKey, Entry>
  private var failures: [PictureKey: Failure] = [:]
  /// Entries that are parts of pictures, oldest first.
  private var parts: [PictureKey] = []
  /// The current list of wanted pictures, most urgent first.
  private var wants: [PictureRequest] = []
  private var wanted: Set<PictureKey> = []
  /// Whether the picker has forgotten the statuses it received.
  private var isForgotten = false
  private var requests: [PictureKey: Request] = [:]
  /// Requests without a picture, because the original is on a server and was not to be downloaded.
  ///
  /// Repeated only if the request differs: if the asset has changed, or if the download is allowed now.
  private var withoutOriginal: [PictureKey: ImageRequest] = [:]
  private var lastVersion: UInt64 = 0
  private var lastNumber: UInt64 = 0
  /// Number of the last request before all pictures were dropped: answers up to it are stale.
  private var lastStale: UInt64 = 0

  /// The visible part, the next one, and those that the user may go back to.
  private static let keptParts = 4

  /// - Parameter cacheLimit: limit of the cache of encoded pictures, in bytes.
  init(cacheLimit: Int) {
    entries = CostBoundedCache(limit: cacheLimit)
  }

  // MARK: Demand

  /// Replaces the list of wanted pictures, most urgent first, and cancels requests for all others.
  ///
  /// The picker remembers the status of a picture as long as it wants it, and is notified of changes: so only
  /// pictures that are new on the list are returned.
  /// - Returns: the known statuses of new pictures on the list, and orders for the manager.
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

  /// Makes the next `demand` return the statuses of all pictures, because the picker has forgotten them.
  mutating func forgetReportedStatuses() { isForgotten = true }

  /// Returns the orders that are due now that time has passed.
  mutating func retry(at time: Duration) -> [Order] { orders(at: time) }

  private mutating func status(of key: PictureKey) -> PictureStatus? {
    let entry = entries.value(for: key)
    if entry == nil, withoutOriginal[key] != nil { return .inCloud }
    return failures[key].map { .failed(reason: $0.reason) } ?? entry?.status
  }

  /// Requests what is wanted and neither ready nor pending, and cancels what is not wanted any more.
  private mutating func orders(at time: Duration) -> [Order] {
    var orders: [Order] = []
    for (key, request) in requests where !wanted.contains(key) {
      cancel(request, &orders)
      requests[key] = nil
    }
    // The manager runs the newest request first, so the most urgent is made last.
    for want in wants.reversed() {
      let key = want.key
      let entry = entries.value(for: key)
      if entry?.isFinal ?? false || failures[key]?.isFinal(at: time) ?? false { continue }
      let image = want.request
      let allowsNetwork = image.options.isNetworkAccessAllowed
      if let answered = withoutOriginal[key], answered == image { continue }
      var underWay = requests[key]
      if let request = underWay, request.allowsNetwork != allowsNetwork {
        // Whether to download the original has changed.
        cancel(request, &orders)
        (requests[key], underWay) = (nil, nil)
      }
      // During the download of an original, the asset may get a thumbnail that can be shown at once.
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
      // Cancelled after the new request: a download without any request waiting for it would be stopped.
      if let underWay { cancel(underWay, &orders) }
    }
    return orders
  }

  private func cancel(_ request: Request, _ orders: inout [Order]) {
    if let id = request.id { orders.append(.cancel(id)) }
  }

  /// Stores the manager's identifier of a request.
  /// - Returns: whether the request is still pending.
  mutating func began(_ number: UInt64, for key: PictureKey, as id: ImageRequestID) -> Bool {
    guard requests[key]?.number == number else { return false }
    requests[key]?.id = id
    return true
  }

  /// Drops all pictures: from now on the same keys mean other pictures.
  /// - Returns: orders for the manager.
  mutating func removeAll() -> [Order] {
    var orders: [Order] = []
    for request in requests.values { cancel(request, &orders) }
    entries = CostBoundedCache(limit: entries.limit)
    (failures, parts, wants, wanted, requests, withoutOriginal) = ([:], [], [], [], [:], [:])
    lastStale = lastNumber
    return orders
  }

  /// Drops all pictures and requests the wanted ones again: the picker itself demands pictures only if its
  /// list of keys changes.
  /// - Returns: orders for the manager.
  mutating func remakeAll(at time: Duration) -> [Order] {
    let wants = self.wants
    let orders = removeAll() + demand(wants, at: time).orders
    isForgotten = true
    return orders
  }

  /// Drops the wanted pictures that are not on the screen, so that they are made again.
  /// - Parameter shown: the versions on the screen, which are kept whatever they cost.
  /// - Returns: orders for the manager.
  mutating func remake(except shown: Set<UInt64>, at time: Duration) -> [Order] {
    for key in wants.map(\.key) {
      guard let picture = picture(for: key), !shown.contains(picture.version) else { continue }
      entries.removeValue(for: key)
    }
    return orders(at: time)
  }

  // MARK: Content

  /// Whether visible pictures are pending.
  var hasPendingVisiblePictures: Bool { requests.values.contains { $0.priority >= .visible } }

  /// The visible thumbnails that are pending.
  var pendingThumbnails: Set<PictureKey> {
    Set(requests.filter { $0.key.mode == .aspectFill && $0.value.priority >= .visible }.keys)
  }

  /// Returns the best picture for a key so far.
  mutating func picture(for key: PictureKey) -> ScreenPicture? { entries.value(for: key)?.picture }

  // MARK: Answers

  /// Returns whether an answer is not stale.
  func isCurrent(_ number: UInt64) -> Bool { number > lastStale }

  /// Adds a picture.
  /// - Parameters:
  ///   - picture: without a version number.
  ///   - isFinal: whether no better one follows.
  ///   - number: number of the request; the picture of a cancelled request is kept as well.
  /// - Returns: false for a stale answer, which is ignored.
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

  /// Keeps a part of a picture and drops the oldest parts: panning leaves many, and they must not displace
  /// prefetched neighbors.
  private mutating func keep(part: PictureKey) {
    parts.removeAll { $0 == part }
    parts.append(part)
    while parts.count > Self.keptParts { entries.removeValue(for: parts.removeFirst()) }
  }

  /// Notes that a request was answered without its original.
  /// - Returns: whether to notify the picker: not for cancelled requests, nor if there is a picture already.
  mutating func addMissingOriginal(for key: PictureKey, of number: UInt64) -> Bool {
    guard let request = requests[key], request.number == number else { return false }
    requests[key] = nil
    withoutOriginal[key] = request.image
    return entries.value(for: key) == nil
  }

  /// Notes a failure.
  /// - Returns: `isNews` is false for a cancelled request; `pause` is the time until `retry` should be
  ///   called, nil
  ///   if never.
  mutating func add(
    _ error: AssetError, for key: PictureKey, of number: UInt64, at time: Duration
  ) -> (isNews: Bool, pause: Duration?) {
    guard requests[key]?.number == number else { return (false, nil) }
    requests[key] = nil
    let count = failures[key]?.count ?? 0
    var pause = Failure.pause(after: count)
    // Spreads retries: requests that failed together for lack of resources are not repeated together.
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
