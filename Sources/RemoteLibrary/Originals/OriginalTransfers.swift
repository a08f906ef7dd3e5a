import AssetLibrary
import Dispatch
import FolderLibrary
import Synchronization
import WorkerThreads

/// The downloads of originals under way: one for each file, however many wait for it.
///
/// A download ends when the last who waits for it leaves; what came of it so far stays for the next. Calls may come from any
/// thread.
final class OriginalTransfers: Sendable {
  private struct Transfer {
    var waiting = 0
    /// Bytes that are there.
    var bytes: Int64 = 0
    var result: Result<Void, AssetError>?
    /// Signalled once for each who waits when it has ended.
    let ended = DispatchSemaphore(value: 0)
    let cancellation = Cancellation()
  }

  private let transfers = Mutex<[UInt64: Transfer]>([:])
  private let cache: OriginalsCache

  init(_ cache: OriginalsCache) {
    self.cache = cache
  }

  /// How often who waits hears how far it has come.
  private static let interval = DispatchTimeInterval.milliseconds(50)

  /// Brings a file, and waits for it.
  /// - Parameter progress: hears the fraction that is there; its answer `stop` ends the waiting.
  func bring(
    _ file: RemoteFile, of source: any OriginalSource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    let transfer = join(file, of: source)
    while true {
      let isOver = transfer.ended.wait(timeout: .now() + Self.interval) == .success
      let (bytes, result) = transfers.withLock { transfers in
        let current = transfers[file.version]
        return (current?.bytes ?? 0, isOver ? current?.result : nil)
      }
      if let result {
        leave(file.version)
        if case .success = result { _ = progress(1) }
        return try result.get()
      }
      if progress(file.size > 0 ? min(1, Double(bytes) / Double(file.size)) : 0) == .stop {
        leave(file.version)
        throw OriginalDownload.stopped(String(decoding: file.path, as: UTF8.self))
      }
    }
  }

  private func join(
    _ file: RemoteFile, of source: any OriginalSource
  ) -> (
    ended: DispatchSemaphore, cancellation: Cancellation
  ) {
    let (transfer, isNew) = transfers.withLock { transfers -> (Transfer, Bool) in
      // One that everybody has left is about to end: another begins once it has.
      if var known = transfers[file.version], !known.cancellation.isCancelled, known.result == nil {
        known.waiting += 1
        transfers[file.version] = known
        return (known, false)
      }
      var new = Transfer()
      new.waiting = 1
      transfers[file.version] = new
      return (new, true)
    }
    if isNew { start(file, of: source, transfer.cancellation, transfer.ended) }
    return (transfer.ended, transfer.cancellation)
  }

  private func start(
    _ file: RemoteFile, of source: any OriginalSource, _ cancellation: Cancellation,
    _ ended: DispatchSemaphore
  ) {
    let run: @Sendable () -> Void = { [self] in
      let result: Result<Void, AssetError>
      do throws(AssetError) {
        try OriginalDownload(source: source, file: file, cache: cache).run(
          isCancelled: { cancellation.isCancelled },
          progress: { [self] bytes in
            transfers.withLock { transfers in
              if transfers[file.version]?.cancellation === cancellation {
                transfers[file.version]?.bytes = bytes
              }
            }
          })
        result = .success(())
      } catch {
        result = .failure(error)
      }
      let waiting = transfers.withLock { transfers -> Int in
        guard transfers[file.version]?.cancellation === cancellation else { return 0 }
        transfers[file.version]?.result = result
        return transfers[file.version]?.waiting ?? 0
      }
      for _ in 0..<waiting { ended.signal() }
    }
    if !WorkerThread.start(run) { run() }
  }

  /// One who waited has its answer, or does not want it any more.
  private func leave(_ version: UInt64) {
    transfers.withLock { transfers in
      guard var transfer = transfers[version] else { return }
      transfer.waiting -= 1
      if transfer.waiting == 0 {
        transfer.cancellation.cancel()
        transfers[version] = nil
      } else {
        transfers[version] = transfer
      }
    }
  }
}
