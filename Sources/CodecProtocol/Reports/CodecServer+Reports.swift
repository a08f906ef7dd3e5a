import CPlatform

// What several files say of themselves.
extension CodecServer {
  /// An answer of so many bytes goes on its way before the next file is looked at.
  private static let partLength = 1 << 16
  /// And one that waits so long: tpick's patience is for a file, not for all of them.
  private static let partTime: Duration = .milliseconds(200)

  /// Answers a request for reports on files, whose descriptors are the next ones.
  /// - Returns: whether the other end took it.
  mutating func answer(
    _ files: [ReportRequest], _ seconds: UInt32, _ number: UInt32, _ service: some HelperService
  ) -> Bool {
    let opened = Array(descriptors.prefix(files.count))
    descriptors.removeFirst(opened.count)
    defer { descriptors_close(opened, opened.count) }
    service.giveUp(after: max(1, seconds))
    defer { service.giveUp(after: 0) }
    var part = ReportsAnswer()
    var begin = ContinuousClock.now
    for (file, descriptor) in zip(files, opened) {
      part.append { service.report(on: descriptor, file, to: &$0) }
      guard part.bytes.count > Self.partLength || .now - begin > Self.partTime else { continue }
      guard send(.reports(part, number: number)) else { return false }
      part.removeAll()
      begin = .now
      service.giveUp(after: max(1, seconds))
    }
    return part.isEmpty || send(.reports(part, number: number))
  }
}
