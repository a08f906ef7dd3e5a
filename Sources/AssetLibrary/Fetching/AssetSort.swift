public import Pixels

/// The orders that have a name.
///
/// Ties go by the path's bytes.
public enum AssetSort: String, CaseIterable, Hashable, Sendable {
  /// By creation date, the latest first.
  case newest
  /// By creation date, the earliest first.
  case oldest
  /// By the file name in the natural order, "img2" before "img10".
  case name
  /// The largest file first.
  case size
  /// By the date on which the library saw the asset, the latest first.
  case added
  /// As the user named the sources.
  case given
  // The others turned round.
  case nameReversed = "name reversed"
  case sizeReversed = "size reversed"
  case addedReversed = "added reversed"
  case givenReversed = "given reversed"

  /// The orders that make sense for any library, each once.
  public static let allCases: [AssetSort] = [.newest, .oldest, .name, .size, .added]

  /// The order turned round.
  public var reversed: AssetSort {
    switch self {
    case .newest: .oldest
    case .oldest: .newest
    case .name: .nameReversed
    case .nameReversed: .name
    case .size: .sizeReversed
    case .sizeReversed: .size
    case .added: .addedReversed
    case .addedReversed: .added
    case .given: .givenReversed
    case .givenReversed: .given
    }
  }

  @inlinable
  var descriptor: AssetSortDescriptor {
    switch self {
    case .newest: AssetSortDescriptor(key: .creationDate, ascending: false)
    case .oldest: AssetSortDescriptor(key: .creationDate, ascending: true)
    case .name: AssetSortDescriptor(key: .filename, ascending: true)
    case .nameReversed: AssetSortDescriptor(key: .filename, ascending: false)
    case .size: AssetSortDescriptor(key: .byteCount, ascending: false)
    case .sizeReversed: AssetSortDescriptor(key: .byteCount, ascending: true)
    case .added: AssetSortDescriptor(key: .addedDate, ascending: false)
    case .addedReversed: AssetSortDescriptor(key: .addedDate, ascending: true)
    case .given: AssetSortDescriptor(key: .given, ascending: true)
    case .givenReversed: AssetSortDescriptor(key: .given, ascending: false)
    }
  }

  /// The order as fetch options hold it.
  public var descriptors: [AssetSortDescriptor] { [descriptor] }

  /// Whether `a` stands before `b`.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    let order = descriptor.compare(a, b)
    return order != 0 ? order < 0 : a.comparePath(to: b) < 0
  }
}

/// What assets can be ordered by.
public enum AssetSortKey: String, CaseIterable, Hashable, Sendable {
  case creationDate, modificationDate, addedDate
  /// The file's own name, in the natural order.
  case filename
  /// The order in which the user named the sources.
  case given
  case byteCount, duration, pixelWidth, pixelHeight
}

/// One step of an order: a key, and whether small comes first.
public struct AssetSortDescriptor: Hashable, Sendable {
  public var key: AssetSortKey
  public var ascending: Bool

  public init(key: AssetSortKey, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }

  /// How two assets stand to each other by this key: below 0 where `a` comes first, 0 where the key can't
  /// tell them apart.
  @inlinable
  public func compare<A: AssetAttributes>(_ a: A, _ b: A) -> Int {
    let ascendingOrder =
      switch key {
      case .creationDate: Self.order(a.creationDate, b.creationDate)
      case .modificationDate: Self.order(a.modificationDate, b.modificationDate)
      case .addedDate: Self.order(a.addedDate, b.addedDate)
      case .filename: a.compareName(to: b)
      case .given: Self.order(a.givenPlace, b.givenPlace)
      case .byteCount: Self.order(a.byteCount, b.byteCount)
      case .duration: Self.order(a.duration, b.duration)
      case .pixelWidth: Self.order(a.pixelSize.width, b.pixelSize.width)
      case .pixelHeight: Self.order(a.pixelSize.height, b.pixelSize.height)
      }
    return ascending ? ascendingOrder : -ascendingOrder
  }

  // Two dates may differ although none is earlier (in their offsets): only `<` counts.
  @inlinable
  static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : b < a ? 1 : 0 }
}

extension [AssetSortDescriptor] {
  /// Whether `a` stands before `b`: by the first descriptor that tells them apart, else by the path's bytes.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    for descriptor in self {
      let order = descriptor.compare(a, b)
      if order != 0 { return order < 0 }
    }
    return a.comparePath(to: b) < 0
  }
}

/// The order of names in which people count: "img2" before "img10", capitals and accents beside the plain letters.
///
/// The same in all locales, so that scripts get the same everywhere.
public enum NaturalOrder {
  /// A name as bytes whose order is the natural one; names that differ in capitals, accents or leading zeros have one.
  ///
  /// A number is a digit, the count of its digits and the digits: longer ones are larger.
  public static func key(of name: some Collection<UInt8>) -> [UInt8] {
    let folded = TextFolding.fold(utf8: name)
    var key: [UInt8] = []
    key.reserveCapacity(folded.count + 4)
    var index = 0
    while index < folded.count {
      guard isDigit(folded[index]) else {
        key.append(folded[index])
        index += 1
        continue
      }
      var end = index
      while end < folded.count, isDigit(folded[end]) { end += 1 }
      while index < end - 1, folded[index] == UInt8(ascii: "0") { index += 1 }
      key.append(UInt8(ascii: "0"))
      key.append(UInt8(clamping: end - index))
      key += folded[index..<end]
      index = end
    }
    return key
  }

  /// How two names stand to each other: below 0 where the first comes first, 0 where they are the same bytes.
  public static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
    let order = compareBytes(key(of: a), key(of: b))
    return order != 0 ? order : compareBytes(Array(a), Array(b))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
