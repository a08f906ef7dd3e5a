/// The ordered answer to a fetch: an immutable snapshot, whatever happens to the library afterwards.
///
/// Lazy where the store is: it holds a handle of 8 bytes for an element and makes the element when it is
/// asked for. No element is in it twice.
public struct FetchResult<Element>: RandomAccessCollection, Sendable
where Element: Identifiable & Sendable, Element.ID == LocalIdentifier {
  enum Storage: Sendable {
    case elements([Element])
    case handles([FetchHandle], any FetchSource<Element>)
  }

  let storage: Storage

  /// An answer that holds its elements.
  public init(_ elements: [Element] = []) {
    storage = .elements(elements)
  }

  /// An answer that makes its elements when they are asked for.
  public init(handles: [FetchHandle], in source: any FetchSource<Element>) {
    storage = .handles(handles, source)
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch storage {
    case .elements(let elements): elements.count
    case .handles(let handles, _): handles.count
    }
  }

  public subscript(position: Int) -> Element {
    switch storage {
    case .elements(let elements): elements[position]
    case .handles(let handles, let source): source.element(at: handles[position])
    }
  }

  /// The identifier of one element, without making the element.
  public func identifier(at position: Int) -> LocalIdentifier {
    switch storage {
    case .elements(let elements): elements[position].id
    case .handles(let handles, let source): source.identifier(at: handles[position])
    }
  }

  /// The identifiers of all elements in their order, without making the elements.
  public var identifiers: [LocalIdentifier] {
    switch storage {
    case .elements(let elements): elements.map(\.id)
    case .handles(let handles, let source): handles.map { source.identifier(at: $0) }
    }
  }

  /// Where the element with `identifier` stands; nil when it is not in the answer.
  ///
  /// Linear, but quick where the element is still near `hint`.
  public func index(of identifier: LocalIdentifier, near hint: Int = 0) -> Int? {
    switch storage {
    case .elements(let elements):
      return Self.index(near: hint, count: elements.count) { elements[$0].id == identifier }
    case .handles(let handles, let source):
      guard let handle = source.handle(of: identifier) else { return nil }
      return Self.index(near: hint, count: handles.count) { handles[$0] == handle }
    }
  }

  /// The first index found when one looks around `hint` first, then everywhere.
  private static func index(near hint: Int, count: Int, where isWanted: (Int) -> Bool) -> Int? {
    let hint = Swift.max(0, Swift.min(hint, count - 1))
    let around = Swift.max(0, hint - 64)..<Swift.min(count, hint + 64)
    return around.first(where: isWanted) ?? (0..<around.lowerBound).first(where: isWanted)
      ?? (around.upperBound..<count).first(where: isWanted)
  }

  /// The elements at some indexes, in the order of the indexes.
  public func objects(at indexes: some Sequence<Int>) -> [Element] { indexes.map { self[$0] } }
}

extension FetchResult: Equatable where Element: Equatable {
  /// Whether both hold equal elements in the same order.
  ///
  /// Quick for two answers over one source, whose handles tell it all.
  public static func == (a: FetchResult, b: FetchResult) -> Bool {
    switch (a.storage, b.storage) {
    case (.elements(let a), .elements(let b)): return a == b
    case (.handles(let a, let source), .handles(let b, let other)) where areSame(source, other):
      return a == b
    default: return a.elementsEqual(b)
    }
  }

  private static func areSame(_ a: any FetchSource<Element>, _ b: any FetchSource<Element>) -> Bool {
    guard type(of: a) is AnyObject.Type, type(of: b) is AnyObject.Type else { return false }
    return a as AnyObject === b as AnyObject
  }
}

// What a list shows of assets, without making them.

extension FetchResult where Element == Asset {
  /// When one asset was taken, without making the asset where that can be avoided.
  public func creationDate(at position: Int) -> AssetDate {
    switch storage {
    case .elements(let elements): elements[position].creationDate
    case .handles(let handles, let source):
      source.creationDate(at: handles[position]) ?? source.element(at: handles[position]).creationDate
    }
  }

  /// How many assets there are of each kind of medium, without making the assets where that can be avoided; those that
  /// can't be read are of unknown kind.
  ///
  /// PhotoKit's `countOfAssets(with:)` for all kinds at once. Linear.
  public func countsOfAssets() -> [MediaType: Int] {
    var counts: [MediaType: Int] = [:]
    switch storage {
    case .elements(let elements): for asset in elements { counts[asset.readableMediaType, default: 0] += 1 }
    case .handles(let handles, let source): Self.count(handles, in: source, &counts)
    }
    return counts
  }

  private static func count<Source: FetchSource<Asset>>(
    _ handles: [FetchHandle], in source: Source, _ counts: inout [MediaType: Int]
  ) {
    var (images, videos) = (0, 0)
    for handle in handles {
      switch source.readableMediaType(at: handle) ?? source.element(at: handle).readableMediaType {
      case .image: images += 1
      case .video: videos += 1
      case let other: counts[other, default: 0] += 1
      }
    }
    if images > 0 { counts[.image] = images }
    if videos > 0 { counts[.video] = videos }
  }

  /// What a selection has to know of one asset, without making the asset where that can be avoided.
  public func brief(at position: Int) -> AssetBrief {
    switch storage {
    case .elements(let elements): AssetBrief(elements[position])
    case .handles(let handles, let source):
      source.brief(at: handles[position]) ?? AssetBrief(source.element(at: handles[position]))
    }
  }
}

extension Asset {
  /// Its kind of medium, unknown where it can't be read.
  fileprivate var readableMediaType: MediaType { isBroken ? .unknown : mediaType }
}

/// What a fetch result keeps of an element: a number that only the result's source understands.
///
/// A source never gives the same number to another element.
public struct FetchHandle: Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
