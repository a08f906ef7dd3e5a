import AssetLibrary
import CPlatform
import Synchronization

/// Assigns identifiers to files.
///
/// A file is identified by device, inode and birth time, which survive renames. A file that was rewritten
/// under its old name has a new inode; it keeps the identifier of its path, and the new inode becomes an
/// alias.
final class IdentityRegistry: Sendable {
  /// A file to which an earlier run gave an identifier that belonged to another file first.
  ///
  /// A rename changes none of these values; a new file that reuses an inode has another time.
  private struct RememberedFile: Hashable {
    var inode: UInt64
    var size: Int64
    var modified: Int64
  }

  private let aliases = Mutex<[UInt64: UInt64]>([:])
  private let remembered = Mutex<[RememberedFile: UInt64]>([:])
  /// Whether `aliases` or `remembered` has entries.
  ///
  /// Most libraries need neither, and then no lock is taken.
  private let hasInheritance = Atomic(false)

  /// Returns the identifier of a file.
  /// - Parameters:
  ///   - linkHash: a hash of this name, if the file has several names.
  ///   - previous: the asset that the path belonged to before, if it was another file.
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

  /// Remembers the current version of a file whose identifier is not its own.
  func remember(_ status: file_status, as identifier: UInt64) {
    remember(inode: status.inode, size: status.size, modified: status.modified, as: identifier)
  }

  /// Remembers a file, as an earlier run stored it, whose identifier is not its own.
  func remember(inode: UInt64, size: Int64, modified: Int64, as identifier: UInt64) {
    hasInheritance.store(true, ordering: .releasing)
    remembered.withLock { $0[RememberedFile(inode: inode, size: size, modified: modified)] = identifier }
  }

  /// The identifier of a file by device, inode and birth time.
  static func key(of status: file_status, linkHash: UInt64?) -> UInt64 {
    var hash = mix(status.device, status.inode)
    hash = mix(hash, UInt64(bitPattern: status.born))
    return linkHash.map { mix(hash, $0) } ?? hash
  }

  /// Combines two numbers so that each bit of the result depends on all of their bits: the finalizer of
  /// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var z = (a &* 0x9E37_79B9_7F4A_7C15) ^ b
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// The identity of an asset, independent of its file's name.
struct AssetIdentity: Hashable, Sendable {
  var identifier: UInt64
  /// When the library first saw it, in seconds since 1970, UTC.
  var added: Int64
  /// Whether the identifier differs from the one derived from the file.
  var isInherited = false
}

extension LocalIdentifier {
  /// Formats the number with at most thirteen letters and digits, which Swift stores without a heap
  /// allocation.
  init(number: UInt64) {
    // Equivalent to `String(number, radix: 36)`, but three times as fast.
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
