import AssetLibrary

extension RequestTable {
  /// The most urgent file that is waited for and not on its way, from now on on its way; nil when there is none.
  mutating func nextDownload() -> ImageDownload? {
    let waiting = works.filter { transfers[$0.key.source] == nil && !$0.value.waitersForDownload.isEmpty }
    let first = waiting.max { a, b in
      (a.value.priority.rawValue, a.value.sequenceNumber)
        < (b.value.priority.rawValue, b.value.sequenceNumber)
    }
    guard let first else { return nil }
    let download = ImageDownload(source: first.key.source, asset: first.value.asset, run: nextNumber())
    transfers[download.source] = ImageDownload.Progress(run: download.run)
    return download
  }

  /// How far the download is that a waiter waits for; nil where there is none.
  func downloadProgress(of id: ImageRequestID) -> Double? {
    works.first { $0.value.waitersForDownload.contains(id) }.flatMap { transfers[$0.key.source]?.fraction }
  }

  /// More of a file has arrived.
  ///
  /// - Returns: whoever waits for it.
  mutating func progressed(_ download: ImageDownload, to progress: Double) -> [ImageRequestID] {
    guard transfers[download.source]?.run == download.run else { return [] }
    transfers[download.source]?.fraction = progress
    return works.filter { $0.key.source == download.source }.flatMap(\.value.waitersForDownload)
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// A download has ended: what waited for it goes on, or hears that it failed.
  ///
  /// - Returns: whoever hears of a failure.
  package mutating func finished(_ download: ImageDownload, succeeded: Bool) -> [RequestAnswer] {
    guard transfers[download.source]?.run == download.run else { return [] }
    transfers[download.source] = nil
    var answers: [RequestAnswer] = []
    for (work, state) in works where work.source == download.source {
      if succeeded {
        works[work]?.isRemote = false
      } else {
        let failed = state.waitersForDownload.map { RequestAnswer(id: $0, content: .outcome, isLast: true) }
        answers += dismiss(failed, from: work)
      }
    }
    return answers
  }

  /// The download of a file that nobody waits for any more, forgotten from now on.
  mutating func abandonedTransfer(of source: ImageSource) -> UInt64? {
    guard let transfer = transfers[source],
      !works.contains(where: { $0.key.source == source && !$0.value.waitersForDownload.isEmpty })
    else { return nil }
    transfers[source] = nil
    return transfer.run
  }
}
