import AssetLibrary
import Dispatch
import Synchronization

extension ImagePipeline {
  /// How many originals are brought from elsewhere at once.
  private static let downloadLimit = 2

  /// Takes the next download out of the table, if it may begin.
  func beginDownload(_ state: inout PipelineState) -> (ImageDownload, Cancellation)? {
    guard state.downloads < Self.downloadLimit, let next = state.table.nextDownload() else { return nil }
    state.downloads += 1
    state.counters.downloads += 1
    let cancellation = Cancellation()
    state.running[next.run] = cancellation
    return (next, cancellation)
  }

  /// Downloads a file, and tells whoever waits for it when it failed.
  func run(_ download: ImageDownload, _ cancellation: Cancellation) {
    var outcome = ImageOutcome.nothing
    do throws(AssetError) {
      guard let resource = download.resource else { throw AssetError(download.asset.displayName, "no file") }
      try store.download(resource) { progress in
        report(progress, of: download)
        return cancellation.isCancelled ? .stop : .proceed
      }
    } catch {
      outcome = .failure(error)
    }
    let hasArrived = if case .failure = outcome { false } else { !cancellation.isCancelled }
    let receivers = state.withLock { state in
      state.running[download.run] = nil
      state.downloads -= 1
      return state.receivers(of: state.table.finished(download, succeeded: hasArrived))
    }
    for (answer, receiver) in receivers { receiver.receive(answer, outcome, of: download.asset.displayName) }
    startNeededWorkers()
  }

  private func report(_ progress: Double, of download: ImageDownload) {
    let handlers = state.withLock { state in
      state.table.progressed(download, to: progress).compactMap { id in
        state.progressHandlers[id].map { (id, $0) }
      }
    }
    for (id, handler) in handlers where handler(progress) == .stop { cancelImageRequest(id) }
  }
}
