package import AssetLibrary

extension RequestTable {
  /// The two halves of a piece of work.
  package enum Phase: Int, Comparable, Hashable, Sendable {
    case final
    /// The picture at hand, cheap: before the final one.
    case degraded

    package static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
  }

  /// What somebody asks for.
  package struct Order: Sendable {
    package var work: ImageWork
    package var asset: Asset
    package var delivery: ImageRequestOptions.DeliveryMode
    package var allowsNetwork: Bool

    package init(_ request: ImageRequest) {
      work = ImageWork(request)
      asset = request.asset
      // One answer, on the caller: there is no use for a coarse one.
      delivery = request.options.isSynchronous ? .highQualityFormat : request.options.deliveryMode
      allowsNetwork = request.options.isNetworkAccessAllowed
    }

    package init(_ request: ImageDataRequest) {
      work = ImageWork(request)
      asset = request.asset
      delivery = .highQualityFormat
      allowsNetwork = request.isNetworkAccessAllowed
    }
  }

  /// How things stand with the file of an order.
  package struct Situation: Hashable, Sendable {
    /// Whether its bytes have to be downloaded first.
    package var isRemote: Bool
    /// Whether a picture may be at hand that is coarser than the final one.
    package var hasThumbnail: Bool
    /// Pixels in memory while the final picture is made.
    package var cost: Int

    package init(isRemote: Bool = false, hasThumbnail: Bool = false, cost: Int = 0) {
      self.isRemote = isRemote
      self.hasThumbnail = hasThumbnail
      self.cost = cost
    }
  }

  /// Which jobs a worker takes.
  package struct Urgencies: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// What somebody looks at.
    package static let inSight = Urgencies(rawValue: 1)
    /// What somebody may look at soon.
    package static let guesses = Urgencies(rawValue: 2)
    package static let all: Urgencies = [.inSight, .guesses]
  }

  /// Something for a worker to do; each job is a run of its own, also of work that was asked for before.
  package struct Job: Hashable, Sendable {
    package var work: ImageWork
    package var asset: Asset
    package var phase: Phase
    package var run: UInt64
    /// Whether nobody looks at it yet.
    package var isBackground: Bool
    /// Pixels in memory while it runs.
    package var cost: Int

    package static func == (a: Job, b: Job) -> Bool { a.run == b.run }
    package func hash(into hasher: inout Hasher) { hasher.combine(run) }
  }

  /// What a waiter hears.
  package struct Answer: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      /// What the job or the download that ended has given.
      case outcome
      /// The original is only remote, and no network may be used.
      case unreachable
    }

    package var id: ImageRequestID
    package var content: Content
    package var isLast: Bool
    /// Whether it is a picture at hand of an original that is only remote.
    package var isInCloud: Bool

    package init(id: ImageRequestID, content: Content, isLast: Bool, isInCloud: Bool = false) {
      self.id = id
      self.content = content
      self.isLast = isLast
      self.isInCloud = isInCloud
    }
  }

  struct Waiter: Sendable {
    var priority: ImagePriority
    var delivery: ImageRequestOptions.DeliveryMode
    var allowsNetwork: Bool
    /// Whether it has its degraded picture already: another waiter may make the table ask for it again.
    var hasDegraded = false
  }

  struct Work: Sendable {
    var asset: Asset
    var waiters: [ImageRequestID: Waiter] = [:]
    var pending: Set<Phase> = []
    var running: Job?
    /// Whether the final job has to wait for a download.
    var isRemote = false
    /// Later requests have larger numbers.
    var order: UInt64
    var cost: Int

    var priority: ImagePriority { waiters.values.map(\.priority).max() ?? .prefetch }

    var nextPhase: Phase? {
      if pending.contains(.degraded) { return .degraded }
      return pending.contains(.final) && !isRemote ? .final : nil
    }

    /// Whether a worker could do something about it.
    var isReady: Bool { running == nil && nextPhase != nil }

    /// Those who need the original, wherever it is.
    var waitersForDownload: [ImageRequestID] {
      guard isRemote else { return [] }
      let mayComeWithout = pending.contains(.degraded) || running?.phase == .degraded
      return waiters.filter {
        $0.value.allowsNetwork && !($0.value.delivery == .fastFormat && mayComeWithout)
      }
      .map(\.key)
    }
  }

  /// The order of jobs.
  ///
  /// Degraded pictures of what is in sight come before everything: dozens of them cost less than one decode.
  struct Rank: Comparable {
    var priority: ImagePriority
    var phase: Phase
    var order: UInt64

    private var urgency: Int {
      priority >= .visible && phase == .degraded ? ImagePriority.allCases.count : priority.rawValue
    }

    static func < (a: Rank, b: Rank) -> Bool {
      (a.urgency, a.phase.rawValue, a.order) < (b.urgency, b.phase.rawValue, b.order)
    }
  }
}
