public import Pixels

/// The named sort orders.
///
/// Assets that are equal in an order are sorted by the bytes of their paths.
public enum AssetSort: String, CaseIterable, Hashable, Sendable {
  /// By creation date, the latest first.
  case newest
  /// By creation date, the earliest first.
  case oldest
  /// By file name in natural order, "img2" before "img10".
  case name
  /// By file size, the largest first.
  case size
  /// By the date on which the library first found the asset, the latest first.
  case added
  /// In the order in which the user named the sources.
  case given
  /// By file name in reverse natural order.
  case nameReversed = "name reversed"
  /// By file size, the smallest first.
  case sizeReversed = "size reversed"
  /// By the date on which the library first found the asset, the earliest first.
  case addedReversed = "added reversed"
  /// In the reverse order of the sources.
  case givenReversed = "given reversed"

  /// The orders to offer for any library, without reversed duplicates; `given` is only useful for some.
  public static let allCases: [AssetSort] = [.newest, .oldest, .name, .size, .added]

  /// The reverse order.
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

  /// The sort descriptors of the order, for `FetchOptions`.
  public var descriptors: [AssetSortDescriptor] { [descriptor] }

  /// Whether `a` comes before `b`.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    let order = descriptor.compare(a, b)
    return order != 0 ? order < 0 : a.comparePath(to: b) < 0
  }
}

/// The attributes that assets can be sorted by.
public enum AssetSortKey: String, CaseIterable, Hashable, Sendable {
  /// When it was taken.
  case creationDate
  /// When it was last modified.
  case modificationDate
  /// When the library first found it.
  case addedDate
  /// The file name in natural order.
  case filename
  /// The order in which the user named the sources.
  case given
  /// The length of the primary file in bytes.
  case byteCount
  /// The duration in seconds.
  case duration
  /// The width in pixels after orientation.
  case pixelWidth
  /// The height in pixels after orientation.
  case pixelHeight
}

/// One criterion of a sort order: a key and a direction.
public struct AssetSortDescriptor: Hashable, Sendable {
  /// The attribute to sort by.
  public var key: AssetSortKey
  /// Whether small values come first.
  public var ascending: Bool

  /// Creates a descriptor from a key and a direction.
  public init(key: AssetSortKey, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }

  /// Compares two assets by the key.
  /// - Returns: a negative number if `a` comes first, a positive number if `b` does, 0 if they are equal by
  ///   this key.
  @inlinable
  public func compare<A: AssetAttributes>(_ a: A, _ b: A) -> Int {
    let ascendingOrder =
      switch key {
      case .creationDate: Self.order(a.creationDate, b.creationDate)
      case .modificationDate: Self.order(a.modificationDate, b.modificationDate)
      case .addedDate: Self.order(a.addedDate, b.addedDate)
      case .filename: a.compareName(to: b)
      case .given: Self.order(a.sourcePosition, b.sourcePosition)
      case .byteCount: Self.order(a.byteCount, b.byteCount)
      case .duration: Self.order(a.duration, b.duration)
      case .pixelWidth: Self.order(a.pixelSize.width, b.pixelSize.width)
      case .pixelHeight: Self.order(a.pixelSize.height, b.pixelSize.height)
      }
    return ascending ? ascendingOrder : -ascendingOrder
  }

  // Unequal dates may differ only in their UTC offsets, so use `<` and not `==`.
  @inlinable
  static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : b < a ? 1 : 0 }
}

extension [AssetSortDescriptor] {
  /// Whether `a` comes before `b` by the first descriptor in which they differ, otherwise by the bytes of
  /// their paths.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    for descriptor in self {
      let order = descriptor.compare(a, b)
      if order != 0 { return order < 0 }
    }
    return a.comparePath(to: b) < 0
  }
}

/// Compares names as people sort them: "img2" before "img10", ignoring case and accents unless the names are
/// otherwise equal.
///
/// The order is the same in all locales, so that scripts get the same results everywhere.
public enum NaturalOrder {
  /// Returns bytes whose lexicographic order is the natural order of names; names that differ only in case,
  /// accents or leading zeros have the same key.
  ///
  /// A number is encoded as "0", its digit count and its digits, so that longer numbers sort as greater.
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

  /// Compares two names in natural order, then byte by byte.
  /// - Returns: a negative number if `a` comes first, a positive number if `b` does, 0 if the bytes are
  ///   equal.
  public static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
    let order = compareBytes(key(of: a), key(of: b))
    return order != 0 ? order : compareBytes(Array(a), Array(b))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
