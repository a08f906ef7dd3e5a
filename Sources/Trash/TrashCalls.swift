import System
package import SystemPackage

/// The calls by which a trash is changed: one way for all of them, so that each can be made to fail.
package struct TrashCalls: Sendable {
  /// What a call does.
  package enum Step: Hashable, Sendable, CaseIterable {
    case makeFolder
    /// The note of where a file came from.
    case writeNote
    case nameNote
    case removeNote
    /// A file goes into the trash, or out of it.
    case move
    case erase
    /// What was done is to outlast a crash of the system.
    case synchronize
  }

  private let refusal: @Sendable (Step) -> Errno?

  /// - Parameter refusal: asked before each call, which is not made where it answers an error; nil = it is made.
  package init(refusal: @escaping @Sendable (Step) -> Errno? = { _ in nil }) { self.refusal = refusal }

  /// Makes a call that answers -1 and sets `errno` where it fails.
  /// - Returns: why it failed; nil where it did not.
  func failure(_ step: Step, _ call: () -> Int32) -> Errno? {
    if let refused = refusal(step) { return refused }
    return call() < 0 ? Errno(rawValue: errno) : nil
  }

  /// Makes a call that answers a descriptor, or -1 and sets `errno`.
  func descriptor(_ step: Step, _ call: () -> Int32) throws(Errno) -> Int32 {
    if let refused = refusal(step) { throw refused }
    let descriptor = call()
    if descriptor < 0 { throw Errno(rawValue: errno) }
    return descriptor
  }
}

/// A folder that is open, closed when the last reference goes.
final class HeldFolder: Sendable {
  let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens a folder by its path.
  convenience init(_ path: FilePath) throws(Errno) {
    self.init(owning: try Self.checked(path.withPlatformString { open($0, Self.flags) }))
  }

  /// Opens a folder of an open folder; a symbolic link is refused.
  convenience init(_ name: [UInt8], in folder: borrowing HeldFolder) throws(Errno) {
    let descriptor = folder.descriptor
    self.init(
      owning: try Self.checked(name.withCName { openat(descriptor, $0, Self.flags | O_NOFOLLOW) }))
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  private static func checked(_ descriptor: Int32) throws(Errno) -> Int32 {
    if descriptor < 0 { throw Errno(rawValue: errno) }
    return descriptor
  }

  /// What the system says of it.
  var status: stat {
    var status = stat()
    fstat(descriptor, &status)
    return status
  }

  /// What the system says of something in it, a link itself; nil where there is nothing of that name.
  func status(of name: [UInt8]) -> stat? {
    var status = stat()
    return name.withCName { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status : nil
  }

  /// The names in it.
  func names() throws(Errno) -> [[UInt8]] {
    // The stream gets a descriptor of its own, which it closes.
    let own = ".".withCString { openat(descriptor, $0, Self.flags) }
    guard own >= 0, let stream = fdopendir(own) else {
      let failure = Errno(rawValue: errno)
      if own >= 0 { close(own) }
      throw failure
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }
}

extension [UInt8] {
  /// Calls with a name as C has it.
  func withCName<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      // It has at least the zero at its end.
      body(name.baseAddress.unsafelyUnwrapped)
    }
  }
}
