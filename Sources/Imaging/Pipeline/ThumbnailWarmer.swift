package import AssetLibrary
import Dispatch
package import Pixels
import Synchronization

/// Makes the thumbnails of assets and keeps them on disk, so that whoever shows them later decodes nothing.
///
/// What there is already is used as if it were shown: it is not the next to be removed. No more is made than can be kept.
package final class ThumbnailWarmer: Sendable {
  /// What became of the assets.
  package struct Tally: Hashable, Sendable {
    /// Those whose thumbnail was made.
    package var made = 0
    /// Those that had one.
    package var present = 0
    /// Those whose picture is no larger than its thumbnail would be.
    package var unneeded = 0
    /// Those whose thumbnail could not be put on disk.
    package var lost = 0
    /// Those that can't be shown, and why.
    package var failures: [AssetError] = []
    /// Those for which there was no room left.
    package var left = 0

    /// Those that were looked at.
    package var count: Int { made + present + unneeded + lost + failures.count }
  }

  private struct State {
    var failures: [AssetError] = []
    var done = 0
    var bytes = 0
  }

  private let pipeline: ImagePipeline
  private let directory: ThumbnailDirectory
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: how many bytes the thumbnails of these assets may take up.
  package init(
    _ store: any OriginalAccess, directory: ThumbnailDirectory, foreign: (any ForeignDecoder)? = nil,
    limit: Int = ThumbnailDirectory.defaultLimit / 10 * 9
  ) {
    self.directory = directory
    self.limit = limit
    pipeline = ImagePipeline(
      store: store, cacheLimit: 0, foreign: foreign,
      thumbnails: ThumbnailCache(directory, keepsThumbnails: true), keepsThumbnailsAtOnce: true)
  }

  package var counters: ImageCounters { pipeline.counters }

  /// Makes the thumbnails from which pictures are made that fill a box.
  /// - Parameters:
  ///   - assets: the most important first; what has no room is left out at the end.
  ///   - size: the box in pixels.
  ///   - progress: hears now and then how many are done, on any thread.
  package func warm(
    _ assets: some Collection<Asset>, for size: PixelSize, progress: @escaping @Sendable (Int) -> Void
  ) -> Tally {
    let group = DispatchGroup()
    // Enough to keep all workers busy.
    let room = DispatchSemaphore(value: pipeline.workerCount * 2)
    var tally = Tally()
    for asset in assets {
      if let defect = asset.defect {
        state.withLock { $0.failures.append(AssetError(asset.displayName, defect)) }
        continue
      }
      room.wait()
      guard state.withLock({ $0.bytes < limit }) else {
        tally.left += 1
        room.signal()
        continue
      }
      group.enter()
      let request = ImageRequest(
        asset: asset, targetSize: size, contentMode: .aspectFill,
        options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
      _ = pipeline.requestImage(request, priority: .visible, progressHandler: nil) { [self] result in
        progress(finish(asset, result))
        room.signal()
        group.leave()
      }
    }
    group.wait()
    let counters = pipeline.counters
    tally.failures = state.withLock { $0.failures }
    tally.made = counters.keptThumbnails
    tally.present = counters.storedThumbnails
    tally.lost = counters.lostThumbnails
    tally.unneeded = counters.decodes - counters.keptThumbnails - counters.lostThumbnails
    return tally
  }

  /// - Returns: how many are done.
  private func finish(_ asset: Asset, _ result: ImageResult) -> Int {
    let bytes = asset.primaryResource.map { directory.byteCount(of: $0.path) } ?? 0
    return state.withLock { state in
      if case .failed(let error) = result.content { state.failures.append(error) }
      state.bytes += bytes
      state.done += 1
      return state.done
    }
  }
}
