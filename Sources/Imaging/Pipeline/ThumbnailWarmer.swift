package import AssetLibrary
import Dispatch
package import Pixels
import Synchronization

/// Makes the thumbnails of assets and stores them on disk, so that showing the assets later requires no
/// decoding.
///
/// Existing thumbnails are marked as used, which protects them from cleanup. No more are made than can be
/// stored.
package final class ThumbnailWarmer: Sendable {
  /// The outcome for the assets.
  package struct Tally: Hashable, Sendable {
    /// Assets whose thumbnail was made.
    package var made = 0
    /// Assets that already had a thumbnail.
    package var present = 0
    /// Assets whose image is not larger than its thumbnail would be.
    package var unneeded = 0
    /// Assets whose thumbnail could not be written to disk.
    package var lost = 0
    /// The errors of assets that can't be shown.
    package var failures: [AssetError] = []
    /// Assets that were skipped because the limit was reached.
    package var left = 0

    /// The number of assets that were processed.
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

  /// - Parameter limit: the maximum size of the thumbnails of these assets in bytes.
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

  /// Makes the thumbnails that are needed to show the assets in a box of a given size.
  /// - Parameters:
  ///   - assets: the most important ones first, because the last ones are skipped when the limit is reached.
  ///   - size: the box in pixels.
  ///   - progress: called now and then with the number of finished assets, on any thread.
  package func warm(
    _ assets: some Collection<Asset>, for size: PixelSize, progress: @escaping @Sendable (Int) -> Void
  ) -> Tally {
    let group = DispatchGroup()
    // Enough pending requests to keep all workers busy.
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

  /// - Returns: the number of finished assets.
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
