import Synchronization

extension RcloneRemote {
  /// How many bytes are compared.
  private static let probe: Int64 = 64
  /// How far into a file another place is looked for.
  private static let reach: Int64 = 1 << 16

  /// Finds out whether the server sends parts of files, once.
  ///
  /// rclone 1.60 passes a range on and says that it sends it, whatever the server does: of one that sends the whole file, it
  /// passes on the first bytes as though they were those asked for. So the first range that does not begin with the file is compared with
  /// the beginning; where both are the same, with another place.
  /// - Throws: `.rangeIgnored` where it does not, or the file does not tell.
  func checkRanges(_ file: KnownFile, _ range: Range<Int64>, isCancelled: () -> Bool) throws(RcloneError) {
    switch sendsRanges.withLock({ $0 }) {
    case true?: return
    case false?: throw RcloneError(.rangeIgnored, name(of: file.path))
    case nil: break
    }
    let count = min(Self.probe, file.size - range.lowerBound)
    let beginning = try bytes(of: file, 0..<count, isCancelled)
    let asked = try bytes(of: file, range.lowerBound..<range.lowerBound + count, isCancelled)
    if asked != beginning {
      sendsRanges.withLock { $0 = true }
      return
    }
    let start = try bytes(of: file, 0..<min(file.size, Self.reach), isCancelled)
    let places = stride(from: Int(count), through: start.count - Int(count), by: Int(count))
    guard let other = places.first(where: { start[$0..<$0 + Int(count)] != beginning[...] }) else {
      throw RcloneError(.rangeIgnored, name(of: file.path))
    }
    let found = try bytes(of: file, Int64(other)..<Int64(other) + count, isCancelled)
    let isSent = found != beginning
    sendsRanges.withLock { $0 = isSent }
    if !isSent { throw RcloneError(.rangeIgnored, name(of: file.path)) }
  }

  private func bytes(
    of file: KnownFile, _ range: Range<Int64>, _ isCancelled: () -> Bool
  ) throws(RcloneError) -> [UInt8] {
    var bytes: [UInt8] = []
    try stream(file, range, isCancelled: isCancelled) {
      bytes += $0
      return true
    }
    return bytes
  }
}
