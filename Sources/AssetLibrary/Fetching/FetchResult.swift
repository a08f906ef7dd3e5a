/// The ordered result of a fetch: an immutable snapshot, which later changes of the library do not affect.
///
/// With a `FetchSource`, the result stores one handle of 8 bytes for each element and creates elements on
/// demand. It contains no element twice.
public struct FetchResult<Element>: RandomAccessCollection, Sendable
where Element: Identifiable & Sendable, Element.ID == LocalIdentifier {
  enum Storage: Sendable {
    case elements([Element])
    case handles([FetchHandle], any FetchSource<Element>)
  }

  let storage: Storage

  /// Creates a result that stores its elements.
  public init(_ elements: [Element] = []) {
    storage = .elements(elements)
  }

  /// Creates a result that creates its elements on demand.
  public init(handles: [FetchHandle], in source: any FetchSource<Element>) {
    storage = .handles(handles, source)
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int {
    switch storage {
    case .elements(let elements): elements.count
    case .handles(let handles, _): handles.count
    }
  }

  /// Returns the element at an index; creates it if the result has a source.
  public subscript(position: Int) -> Element {
    switch storage {
    case .elements(let elements): elements[position]
    case .handles(let handles, let source): source.element(at: handles[position])
    }
  }

  /// The first element; nil if the result is empty.
  ///
  /// The same as `first`, under PhotoKit's name.
  public var firstObject: Element? { first }

  /// The last element; nil if the result is empty.
  ///
  /// The same as `last`, under PhotoKit's name.
  public var lastObject: Element? { last }

  /// Returns the element at an index, under PhotoKit's name.
  public func object(at index: Int) -> Element { self[index] }

  /// Returns the identifier of an element without creating the element.
  public func identifier(at position: Int) -> LocalIdentifier {
    switch storage {
    case .elements(let elements): elements[position].id
    case .handles(let handles, let source): source.identifier(at: handles[position])
    }
  }

  /// The identifiers of all elements in order, without creating the elements.
  public var identifiers: [LocalIdentifier] {
    switch storage {
    case .elements(let elements): elements.map(\.id)
    case .handles(let handles, let source): handles.map { source.identifier(at: $0) }
    }
  }

  /// Returns the index of an identifier; nil if it is not in the result.
  ///
  /// The search is linear, but starts around `hint`, so it is fast for an element near it.
  public func index(of identifier: LocalIdentifier, near hint: Int = 0) -> Int? {
    switch storage {
    case .elements(let elements):
      return Self.index(near: hint, count: elements.count) { elements[$0].id == identifier }
    case .handles(let handles, let source):
      guard let handle = source.handle(of: identifier) else { return nil }
      return Self.index(near: hint, count: handles.count) { handles[$0] == handle }
    }
  }

  /// Searches the 64 indexes on each side of `hint`, then all others.
  private static func index(near hint: Int, count: Int, where isWanted: (Int) -> Bool) -> Int? {
    let hint = Swift.max(0, Swift.min(hint, count - 1))
    let around = Swift.max(0, hint - 64)..<Swift.min(count, hint + 64)
    return around.first(where: isWanted) ?? (0..<around.lowerBound).first(where: isWanted)
      ?? (around.upperBound..<count).first(where: isWanted)
  }

  /// Returns the elements at the given indexes, in the order of the indexes.
  public func objects(at indexes: some Sequence<Int>) -> [Element] { indexes.map { self[$0] } }
}

extension FetchResult: Equatable where Element: Equatable {
  /// Whether both results contain equal elements in the same order.
  ///
  /// Two results of the same source are compared by their handles, without creating elements.
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

// Attributes of assets that lists need, without creating the assets.

extension FetchResult where Element == Asset {
  /// Returns the creation date of an asset, without creating the asset if the source supports that.
  public func creationDate(at position: Int) -> AssetDate {
    switch storage {
    case .elements(let elements): elements[position].creationDate
    case .handles(let handles, let source):
      source.creationDate(at: handles[position]) ?? source.element(at: handles[position]).creationDate
    }
  }

  /// Returns the number of assets of each kind, without creating the assets if the source supports that;
  /// unreadable assets count as `unknown`.
  ///
  /// Corresponds to PhotoKit's `countOfAssets(with:)` for all kinds at once. Takes linear time.
  public func countsOfAssets() -> [MediaType: Int] {
    var counts: [MediaType: Int] = [:]
    switch storage {
    case .elements(let elements): for asset in elements { counts[asset.readableMediaType, default: 0] += 1 }
    case .handles(let handles, let source): Self.count(handles, in: source, &counts)
    }
    return counts
  }

  /// Returns the number of assets of a kind; unreadable assets count as `unknown`.
  ///
  /// Takes linear time.
  public func countOfAssets(with mediaType: MediaType) -> Int { countsOfAssets()[mediaType] ?? 0 }

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

  /// Returns the attributes that a selection needs, without creating the asset if the source supports that.
  public func brief(at position: Int) -> AssetBrief {
    switch storage {
    case .elements(let elements): AssetBrief(elements[position])
    case .handles(let handles, let source):
      source.brief(at: handles[position]) ?? AssetBrief(source.element(at: handles[position]))
    }
  }
}

extension Asset {
  /// The kind of medium; `unknown` for an asset that can't be read.
  fileprivate var readableMediaType: MediaType { isBroken ? .unknown : mediaType }
}

/// A number that represents an element of a fetch result; only the result's source can interpret it.
///
/// A source never uses a number for another element.
public struct FetchHandle: Hashable, BitwiseCopyable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Creates a handle from a number that the source assigned.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
