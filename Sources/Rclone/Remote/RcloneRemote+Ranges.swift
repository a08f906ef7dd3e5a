import Synchronization
import System

extension RcloneRemote {
  /// How many bytes are compared.
  private static let probe: Int64 = 64
  /// After which a request that waits for the answer looks again.
  private static let probePause: Duration = .milliseconds(5)
  /// How far into a file another place is looked for.
  static let reach: Int64 = 1 << 16

  /// Backends whose protocols read at a place, as programs do, and leave a server no choice.
  private static let readingAtPlaces: Set = ["sftp", "smb", "local"]

  /// Whether the server sends parts of files; found out once.
  ///
  /// rclone 1.60 passes a range on and says that it sends it, whatever the server does. Of a server that sends the whole file
  /// it passes on the first bytes as though they were those asked for, and breaks off where they are more. So the first range is
  /// compared with the beginning of the file; where both are the same, with another place.
  /// - Throws: `.rangeIgnored` where the file does not tell.
  func sendsRanges(
    _ file: KnownFile, _ range: Range<Int64>, isCancelled: () -> Bool
  ) throws(RcloneError) -> Bool {
    if let known = knownRanges.withLock({ $0 }) { return known }
    // One at a time: of each file that is asked about a server begins to send the whole.
    while !isProbing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      if isGivenUp(isCancelled) { throw RcloneError(.cancelled, name(of: file.path)) }
      Waiting.pause(Self.probePause)
    }
    defer { isProbing.store(false, ordering: .releasing) }
    if let known = knownRanges.withLock({ $0 }) { return known }
    if Self.readingAtPlaces.contains(try backend()) { return known(true) }
    // Not at the beginning, where all servers send the same.
    let count = min(Self.probe, file.size / 2)
    let place = min(max(range.lowerBound, count), file.size - count)
    let first = try bytes(of: file, 0..<count, isRanged: false, isCancelled)
    guard let asked = try bytesOrNothing(of: file, place..<place + count, isCancelled) else {
      return known(false)
    }
    if asked != first { return known(true) }
    let beginning = try bytes(of: file, 0..<min(file.size, Self.reach), isRanged: false, isCancelled)
    guard let answer = try sendsPart(of: file, unlike: count, beginning, isCancelled) else {
      throw RcloneError(.rangeIgnored, name(of: file.path))
    }
    return known(answer)
  }

  /// Reads a beginning, which is right whatever the server sends, and finds out by it whether the server sends parts.
  func readBeginning(
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
      // As it is where the server sends more than was asked for, too.
      let rest = Int64(beginning.count)..<range.upperBound
      try stream(file, rest, isRanged: false, isCancelled: isCancelled, take: keep)
    }
    guard isProbing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
      return
    }
    defer { isProbing.store(false, ordering: .releasing) }
    guard knownRanges.withLock({ $0 == nil }) else { return }
    // What was asked for is here: whoever asks for what lies behind it hears of a failure.
    if hasCostlyConnections() || Self.readingAtPlaces.contains((try? backend()) ?? "") {
      return knownRanges.withLock { $0 = true }
    }
    let answer = try? sendsPart(
      of: file, unlike: min(Self.probe, range.upperBound / 2), beginning, isCancelled)
    if let answer { knownRanges.withLock { $0 = answer } }
  }

  /// Whether the server sends, when it is asked for it, a part of a beginning that differs from the first bytes.
  /// - Parameter count: how many bytes are compared.
  /// - Returns: nil where there is no such part.
  private func sendsPart(
    of file: KnownFile, unlike count: Int64, _ beginning: [UInt8], _ isCancelled: () -> Bool
  ) throws(RcloneError) -> Bool? {
    let count = Int(count)
    guard count > 0 else { return nil }
    let places = stride(from: count, through: beginning.count - count, by: count)
    guard let place = places.first(where: { beginning[$0..<$0 + count] != beginning[..<count] }) else {
      return nil
    }
    let found = try bytesOrNothing(of: file, Int64(place)..<Int64(place + count), isCancelled)
    return found.map { $0[...] == beginning[place..<place + count] } ?? false
  }

  private func known(_ isSent: Bool) -> Bool {
    knownRanges.withLock { $0 = isSent }
    return isSent
  }

  /// The bytes of a range; nil where the connection breaks off, twice: nothing else has it break off so.
  private func bytesOrNothing(
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
