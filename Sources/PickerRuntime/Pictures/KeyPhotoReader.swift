import AssetLibrary
import PickerUI
import Pixels
import Synchronization
import System

/// Reads the frames of Live Photos that are shown in place of their still images, one after the other.
///
/// Safe to use from several threads.
final class KeyPhotoReader: Sendable {
  private let manager: any AssetManager
  private let queue = WorkQueue(width: 1)
  /// The pictures that are not read yet.
  private let pending = Mutex<[PictureKey: Cancellation]>([:])

  init(manager: any AssetManager) {
    self.manager = manager
  }

  /// Reads the frame of a picture.
  /// - Parameters:
  ///   - want: the picture, whose size is that of the pixels.
  ///   - time: the time of the frame, from the start of the clip.
  ///   - answer: called on another thread, unless the picture is cancelled.
  func read(
    _ want: PictureRequest, at time: Duration,
    _ answer: @escaping @Sendable (Result<PixelBuffer, AssetError>) -> Void
  ) {
    let cancellation = Cancellation()
    pending.withLock { $0.updateValue(cancellation, forKey: want.key) }?.cancel()
    queue.async { [self] in
      if cancellation.isCancelled { return }
      let result = Result { () throws(AssetError) in try frame(of: want, at: time, cancellation) }
      pending.withLock { pending in
        if pending[want.key] === cancellation { pending[want.key] = nil }
      }
      if !cancellation.isCancelled { answer(result) }
    }
  }

  /// Cancels all other pictures.
  func keep(_ pictures: Set<PictureKey>) {
    let cancelled = pending.withLock { pending in
      let others = pending.filter { !pictures.contains($0.key) }
      for key in others.keys { pending[key] = nil }
      return others.values
    }
    for picture in cancelled { picture.cancel() }
  }

  private func frame(
    of want: PictureRequest, at time: Duration, _ cancellation: Cancellation
  ) throws(AssetError) -> PixelBuffer {
    let playback = PlaybackRequest(generation: 0, asset: want.asset, key: want.key)
    var request = playback.frames
    // A part is cut out of the whole frame.
    if want.key.part != nil { request.targetSize = PixelSize(width: 1 << 16, height: 1 << 16) }
    let frames = try manager.frames(of: request, cancellation: cancellation)
    try frames.seek(to: time)
    guard let pixels = try frames.next(.none)?.pixels else {
      throw AssetError(want.asset.subject, "the frame can't be read")
    }
    guard let part = want.key.part else { return playback.fitted(pixels) }
    // The frame has the shape of the still image, whose part it is.
    let still = want.asset.presenting(want.key.version).pixelSize
    let whole = PixelRegion(centeredIn: pixels.size, shapedLike: still.isEmpty ? pixels.size : still)
    let region = PixelRegion(
      x: whole.x + part.region.x * whole.width, y: whole.y + part.region.y * whole.height,
      width: part.region.width * whole.width, height: part.region.height * whole.height)
    let size = PixelSize(
      width: max(1, Int(region.width.rounded())), height: max(1, Int(region.height.rounded())))
    let target = size.scaled(toward: part.size, .aspectFit)
    return Resampler(from: pixels.size, region: region, to: target)(pixels)
  }
}
