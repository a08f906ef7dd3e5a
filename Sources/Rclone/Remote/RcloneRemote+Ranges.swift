import Synchronization
import System

extension RcloneRemote {
  /// The number of bytes to compare.
  private static let probe: Int64 = 64
  /// The polling interval of requests that wait for the result of the check.
  private static let probePause: Duration = .milliseconds(5)
  /// How far into a file to search for a part that differs from its first bytes.
  static let reach: Int64 = 1 << 16

  /// Backends whose protocols always read at an offset, so that servers support ranges.
  private static let withOffsetReads: Set = ["sftp", "smb", "local"]

  /// Whether the server supports ranges.
  ///
  /// Checked once.
  ///
  /// rclone 1.60 reports success even if the server ignores the range and sends the whole file: rclone then
  /// passes on the first bytes of the file, as many as were requested, and breaks the connection off if more
  /// follow. The bytes of a range are therefore compared with the first bytes of the file. If they are equal,
  /// the same is done with a range whose content is known to differ.
  /// - Throws: `.rangeIgnored` if the file has no such range near its start, so that nothing can be
  ///   concluded.
  func supportsRanges(
    _ file: KnownFile, _ range: Range<Int64>, isCancelled: () -> Bool
  ) throws(RcloneError) -> Bool {
    if let known = knownRangeSupport.withLock({ $0 }) { return known }
    // One check at a time, because each makes a server without ranges start to send a whole file.
    while !isProbing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      if isGivenUp(isCancelled) { throw RcloneError(.cancelled, name(of: file.path)) }
      Waiting.pause(Self.probePause)
    }
    defer { isProbing.store(false, ordering: .releasing) }
    if let known = knownRangeSupport.withLock({ $0 }) { return known }
    if Self.withOffsetReads.contains(try backend()) { return known(true) }
    // Not at offset 0, where all servers send the same bytes.
    let count = min(Self.probe, file.size / 2)
    let place = min(max(range.lowerBound, count), file.size - count)
    let first = try bytes(of: file, 0..<count, isRanged: false, isCancelled)
    guard let asked = try bytesIfReadable(of: file, place..<place + count, isCancelled) else {
      return known(false)
    }
    if asked != first { return known(true) }
    let beginning = try bytes(of: file, 0..<min(file.size, Self.reach), isRanged: false, isCancelled)
    guard let answer = try sendsPart(of: file, unlike: count, beginning, isCancelled) else {
      throw RcloneError(.rangeIgnored, name(of: file.path))
    }
    return known(answer)
  }

  /// Reads the first bytes of a file, which are correct whether or not the server supports ranges, and uses
  /// them to check for range support.
  func readPrefix(
    of file: KnownFile, _ range: Range<Int64>, isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    var beginning: [UInt8] = []
    let keep = { (bytes: UnsafeRawBufferPointer) in
      beginning += bytes
      return take(bytes)
    }
    do throws(RcloneError) {
      try stream(file, range, isRanged: true, isOnce: true, isCancelled: isCancelled, take: keep)
    } catch {
      guard error.kind == .unreachable || error.kind == .rangeIgnored else { throw error }
      // The connection breaks off also if the server sends more than was requested.
      let rest = Int64(beginning.count)..<range.upperBound
      try stream(file, rest, isRanged: false, isCancelled: isCancelled, take: keep)
    }
    guard isProbing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
      return
    }
    defer { isProbing.store(false, ordering: .releasing) }
    guard knownRangeSupport.withLock({ $0 == nil }) else { return }
    // The requested bytes are complete, so errors are ignored here; a later range request will report them.
    if hasCostlyConnections() || Self.withOffsetReads.contains((try? backend()) ?? "") {
      return knownRangeSupport.withLock { $0 = true }
    }
    let answer = try? sendsPart(
      of: file, unlike: min(Self.probe, range.upperBound / 2), beginning, isCancelled)
    if let answer { knownRangeSupport.withLock { $0 = answer } }
  }

  /// Checks range support with a part of the file that differs from its first bytes.
  /// - Parameters:
  ///   - count: the number of bytes to compare.
  ///   - beginning: the first bytes of the file, in which that part is searched for.
  /// - Returns: nil if there is no such part.
  private func sendsPart(
    of file: KnownFile, unlike count: Int64, _ beginning: [UInt8], _ isCancelled: () -> Bool
  ) throws(RcloneError) -> Bool? {
    let count = Int(count)
    guard count > 0 else { return nil }
    let places = stride(from: count, through: beginning.count - count, by: count)
    guard let place = places.first(where: { beginning[$0..<$0 + count] != beginning[..<count] }) else {
      return nil
    }
    let found = try bytesIfReadable(of: file, Int64(place)..<Int64(place + count), isCancelled)
    return found.map { $0[...] == beginning[place..<place + count] } ?? false
  }

  private func known(_ isSent: Bool) -> Bool {
    knownRangeSupport.withLock { $0 = isSent }
    return isSent
  }

  /// Returns the bytes of a range; nil if the connection breaks off twice, which is taken as a sign that
  /// ranges are not supported.
  private func bytesIfReadable(
    of file: KnownFile, _ range: Range<Int64>, _ isCancelled: () -> Bool
  ) throws(RcloneError) -> [UInt8]? {
    for _ in 0..<2 {
      do throws(RcloneError) {
        return try bytes(of: file, range, isRanged: true, isOnce: true, isCancelled)
      } catch {
        guard error.kind == .unreachable || error.kind == .rangeIgnored else { throw error }
      }
    }
    return nil
  }

  private func bytes(
    of file: KnownFile, _ range: Range<Int64>, isRanged: Bool, isOnce: Bool = false, _ isCancelled: () -> Bool
  ) throws(RcloneError) -> [UInt8] {
    var bytes: [UInt8] = []
    try stream(file, range, isRanged: isRanged, isOnce: isOnce, isCancelled: isCancelled) {
      bytes += $0
      return true
    }
    return bytes
  }
}
