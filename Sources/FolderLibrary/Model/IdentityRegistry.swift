import AssetLibrary
import CPlatform
import Synchronization

/// Gives files their identifiers.
///
/// A file is known by its device, inode and birth: that survives renames. A file that was written anew under its
/// old name has another inode and keeps the identifier that its path had; from then on the new inode is an
/// alias.
final class IdentityRegistry: Sendable {
  /// A file that an earlier run knew under an identifier that was another file's first.
  ///
  /// A rename leaves all of this as it is; a new file that got the inode of a removed one has another time.
  private struct RememberedFile: Hashable {
    var inode: UInt64
    var size: Int64
    var modified: Int64
  }

  private let aliases = Mutex<[UInt64: UInt64]>([:])
  private let remembered = Mutex<[RememberedFile: UInt64]>([:])
  /// Whether any of the two holds something: most libraries never need them, and then no lock is taken.
  private let hasInheritance = Atomic(false)

  /// The identifier of a file.
  /// - Parameters:
  ///   - linkHash: a number for this one name of the file, where it goes by several.
  ///   - previous: the asset that the file's path stood for before, if the file there was another.
  ///   - isKnown: whether an identifier belongs to an asset of the library.
  func identifier(
    of status: file_status, linkHash: UInt64?, previous: UInt64?, isKnown: (UInt64) -> Bool
  ) -> UInt64 {
    let key = Self.key(of: status, linkHash: linkHash)
    if previous == nil, !hasInheritance.load(ordering: .acquiring) { return key }
    let file = RememberedFile(inode: status.inode, size: status.size, modified: status.modified)
    if linkHash == nil, let inherited = remembered.withLock({ $0[file] }) { return inherited }
    if let alias = aliases.withLock({ $0[key] }) { return alias }
    guard let previous, previous != key, !isKnown(key) else { return key }
    hasInheritance.store(true, ordering: .releasing)
    aliases.withLock { $0[key] = previous }
    return previous
  }

  /// Remembers a file that goes by another identifier than its own, as it is now.
  func remember(_ status: file_status, as identifier: UInt64) {
    remember(inode: status.inode, size: status.size, modified: status.modified, as: identifier)
  }

  /// Remembers a file that goes by another identifier than its own, as an earlier run knew it.
  func remember(inode: UInt64, size: Int64, modified: Int64, as identifier: UInt64) {
    hasInheritance.store(true, ordering: .releasing)
    remembered.withLock { $0[RememberedFile(inode: inode, size: size, modified: modified)] = identifier }
  }

  /// The number that a file has by itself.
  static func key(of status: file_status, linkHash: UInt64?) -> UInt64 {
    var hash = mix(status.device, status.inode)
    hash = mix(hash, UInt64(bitPattern: status.born))
    return linkHash.map { mix(hash, $0) } ?? hash
  }

  /// Two numbers made one, each bit of it depending on all of theirs: the finalizer of SplitMix64 (Steele, Lea
  /// and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var z = (a &* 0x9E37_79B9_7F4A_7C15) ^ b
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Who an asset is, whatever its file is called.
struct AssetIdentity: Hashable, Sendable {
  var identifier: UInt64
  /// When the library first saw it, in seconds since 1970, UTC.
  var added: Int64
  /// Whether it is not what the file alone would give.
  var isInherited = false
}

extension LocalIdentifier {
  /// Thirteen letters and digits at most: short enough for Swift to keep without memory of its own.
  init(number: UInt64) {
    // As `String(number, radix: 36)`, which takes three times as long.
    self.init(
      rawValue: String(unsafeUninitializedCapacity: 13) { buffer in
        var (rest, count) = (number, 0)
        repeat {
          let digit = UInt8(truncatingIfNeeded: rest % 36)
          buffer[count] = digit < 10 ? 0x30 + digit : 0x57 + digit
          rest /= 36
          count += 1
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        digits.reverse()
        return count
      })
  }

  var number: UInt64? { UInt64(rawValue, radix: 36) }
}
