import AssetLibrary
import Dispatch
import FolderLibrary
import Synchronization
import System

/// The downloads in progress: one per file, shared by all callers that wait for it.
///
/// A download is cancelled when its last waiting caller leaves; its part file stays for the next attempt. Any
/// thread may call.
final class OriginalTransfers: Sendable {
  private struct Transfer {
    var waiting = 0
    /// The number of bytes present.
    var bytes: Int64 = 0
    var result: Result<Void, DownloadFailure>?
    /// Signaled once per waiting caller when the download has ended.
    let ended = DispatchSemaphore(value: 0)
    let cancellation = Cancellation()
  }

  private enum Key: Hashable {
    /// A file version that goes into the cache.
    case kept(UInt64)
    /// A file that goes only into this open descriptor.
    case written(Int32)
  }

  private let transfers = Mutex<[Key: Transfer]>([:])
  private let cache: OriginalsCache

  init(_ cache: OriginalsCache) {
    self.cache = cache
  }

  /// The interval of progress reports to waiting callers.
  private static let interval = DispatchTimeInterval.milliseconds(50)

  /// Downloads a file and waits for it.
  /// - Parameters:
  ///   - descriptor: an open file to write to instead of the cache; nil = the cache.
  ///   - progress: receives the fraction that is present; returning `stop` ends the wait.
  func download(
    _ file: RemoteFile, of source: any OriginalSource, into descriptor: Int32? = nil,
    progress: (Double) -> DownloadDecision
  ) throws(DownloadFailure) {
    let key = descriptor.map(Key.written) ?? .kept(file.version)
    let transfer = join(file, of: source, key)
    while true {
      let isOver = transfer.ended.wait(timeout: .now() + Self.interval) == .success
      let (bytes, result) = transfers.withLock { transfers in
        let current = transfers[key]
        return (current?.bytes ?? 0, isOver ? current?.result : nil)
      }
      if let result {
        leave(key)
        if case .success = result { _ = progress(1) }
        return try result.get()
      }
      if progress(file.size > 0 ? min(1, Double(bytes) / Double(file.size)) : 0) == .stop {
        // The caller may reuse its file after this call, so the download must have ended.
        if descriptor != nil {
          transfer.cancellation.cancel()
          transfer.ended.wait()
        }
        leave(key)
        throw OriginalDownload.stopped(source.subject(file.path))
      }
    }
  }

  private func join(
    _ file: RemoteFile, of source: any OriginalSource, _ key: Key
  ) -> (
    ended: DispatchSemaphore, cancellation: Cancellation
  ) {
    let (transfer, isNew) = transfers.withLock { transfers -> (Transfer, Bool) in
      // A cancelled download is about to end; start another one, which waits for the lock.
      if var known = transfers[key], !known.cancellation.isCancelled, known.result == nil {
        known.waiting += 1
        transfers[key] = known
        return (known, false)
      }
      var new = Transfer()
      new.waiting = 1
      transfers[key] = new
      return (new, true)
    }
    if isNew { start(file, of: source, key, transfer.cancellation, transfer.ended) }
    return (transfer.ended, transfer.cancellation)
  }

  private func start(
    _ file: RemoteFile, of source: any OriginalSource, _ key: Key, _ cancellation: Cancellation,
    _ ended: DispatchSemaphore
  ) {
    let run: @Sendable () -> Void = { [self] in
      let result: Result<Void, DownloadFailure>
      do throws(DownloadFailure) {
        let download = OriginalDownload(source: source, file: file, cache: cache)
        let progress: @Sendable (Int64) -> Void = { [self] bytes in
          transfers.withLock { transfers in
            if transfers[key]?.cancellation === cancellation { transfers[key]?.bytes = bytes }
          }
        }
        if case .written(let descriptor) = key {
          try download.write(into: descriptor, isCancelled: { cancellation.isCancelled }, progress: progress)
        } else {
          try download.run(isCancelled: { cancellation.isCancelled }, progress: progress)
        }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      let waiting = transfers.withLock { transfers -> Int in
        guard transfers[key]?.cancellation === cancellation else { return 0 }
        transfers[key]?.result = result
        return transfers[key]?.waiting ?? 0
      }
      for _ in 0..<waiting { ended.signal() }
    }
    if !WorkerThread.start(run) { run() }
  }

  /// Removes a caller that has its result or has given up.
  private func leave(_ key: Key) {
    transfers.withLock { transfers in
      guard var transfer = transfers[key] else { return }
      transfer.waiting -= 1
      if transfer.waiting == 0 {
        transfer.cancellation.cancel()
        transfers[key] = nil
      } else {
        transfers[key] = transfer
      }
    }
  }
}
