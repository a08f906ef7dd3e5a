import MediaFormats
public import Pixels
import Synchronization
import System

/// Which version of a video to open, and how: PhotoKit's `PHVideoRequestOptions`.
///
/// Changing the options of one request does not affect others.
public struct VideoRequestOptions: Hashable, Sendable {
  /// The size of the frames of a video whose original is remote.
  ///
  /// As in PhotoKit, local videos always have their own size.
  public enum DeliveryMode: Hashable, CaseIterable, Sendable {
    /// The library chooses: the size of the original.
    case automatic
    /// The size of the original.
    case highQualityFormat
    /// At most 1280 × 720 pixels, or 720 × 1280.
    case mediumQualityFormat
    /// At most 640 × 360 pixels, or 360 × 640.
    case fastFormat

    /// The longer and the shorter side at most; nil = unlimited.
    fileprivate var mostPixels: (long: Int, short: Int)? {
      switch self {
      case .automatic, .highQualityFormat: nil
      case .mediumQualityFormat: (1280, 720)
      case .fastFormat: (640, 360)
      }
    }
  }

  /// Which version of an edited asset to open.
  public var version: AssetVersion
  /// The size of the frames of a remote video.
  public var deliveryMode: DeliveryMode
  /// Whether a remote original may be downloaded.
  public var isNetworkAccessAllowed: Bool

  /// Creates options; the defaults are PhotoKit's.
  public init(
    version: AssetVersion = .current, deliveryMode: DeliveryMode = .automatic,
    isNetworkAccessAllowed: Bool = false
  ) {
    self.version = version
    self.deliveryMode = deliveryMode
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
  }
}

/// The single result of a request for a video.
public struct VideoResult: Sendable {
  /// The outcome.
  public enum Content: Sendable {
    /// The video, ready to be played.
    case video(Video)
    /// It could not be opened.
    case failed(AssetError)
    /// The request was cancelled.
    case cancelled
  }

  /// The outcome.
  public var content: Content
  /// Whether the original is remote, and was not downloaded.
  public var isInCloud: Bool

  /// Creates a result.
  public init(_ content: Content, isInCloud: Bool = false) {
    self.content = content
    self.isInCloud = isInCloud
  }
}

/// An opened video, animation or clip of a Live Photo: its facts and its frames.
///
/// Corresponds to the `AVAsset` of PhotoKit's `requestAVAsset(forVideo:)`. Frames are read from the file of one
/// version, and each reader has its own position.
public struct Video: Sendable {
  /// The asset that was requested.
  public let asset: Asset
  /// The version that was requested.
  public let version: AssetVersion
  /// The file with the frames.
  public let resource: AssetResource
  /// The container, tracks and chapters of the file; nil for an animated image, and for a clip inside the file of
  /// a photo.
  public let details: MovieDetails?
  /// The duration in seconds; 0 if the file does not state it.
  public let duration: Double
  /// The box that frames fit into unless `frames` requests a smaller one.
  public let maximumSize: PixelSize

  private let manager: any AssetManager

  fileprivate init(
    _ request: FrameRequest, _ resource: AssetResource, _ details: MovieDetails?, duration: Double,
    _ manager: any AssetManager
  ) {
    (asset, version, maximumSize) = (request.asset, request.version, request.targetSize)
    (self.resource, self.details, self.duration, self.manager) = (resource, details, duration, manager)
  }

  /// The tracks of the file in its order; empty without `details`.
  public var tracks: [MovieTrack] { details?.tracks ?? [] }

  /// Opens the frames from the first one on.
  ///
  /// Blocks until the disk responds.
  /// - Parameters:
  ///   - size: the box that the upright frames must fit into, in pixels; nil = `maximumSize`. Frames are never
  ///     enlarged.
  ///   - cancellation: stops all work of the reader, from any thread.
  /// - Throws: `AssetError` if the file can't be played, or the client may not see the asset.
  public func makeFrameReader(
    fitting size: PixelSize? = nil, cancellation: Cancellation = Cancellation()
  ) throws(AssetError) -> any FrameReader {
    let request = FrameRequest(asset: asset, targetSize: limited(size), version: version)
    return try manager.frames(of: request, cancellation: cancellation)
  }

  /// Returns the frames of one pass as an asynchronous sequence, without blocking the caller's thread.
  ///
  /// The next frame is decoded when it is asked for. The sequence throws `AssetError`; cancelling the task ends it.
  ///
  ///     for try await frame in video.frames(fitting: size) { show(frame.pixels, at: frame.start) }
  ///
  /// - Parameter size: as for `makeFrameReader`.
  public func frames(fitting size: PixelSize? = nil) -> AsyncThrowingStream<MovingFrame, any Error> {
    let source = FrameSource(self, size)
    return AsyncThrowingStream { try await source.next() }
  }

  private func limited(_ size: PixelSize?) -> PixelSize {
    guard let size else { return maximumSize }
    return PixelSize(
      width: min(size.width, maximumSize.width), height: min(size.height, maximumSize.height))
  }
}

/// Decodes the frames of a video on threads that may block.
private final class FrameSource: Sendable {
  private struct State {
    var reader: (any FrameReader)?
    var isAtEnd = false
  }

  private let video: Video
  private let size: PixelSize?
  private let cancellation = Cancellation()
  private let state = Mutex(State())

  init(_ video: Video, _ size: PixelSize?) {
    (self.video, self.size) = (video, size)
  }

  deinit { cancellation.cancel() }

  func next() async throws -> MovingFrame? {
    let result = await withTaskCancellationHandler {
      await WorkerThread.value { [self] in Result { () throws(AssetError) in try decoded() } }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private func decoded() throws(AssetError) -> MovingFrame? {
    try state.withLock { state throws(AssetError) in
      if state.isAtEnd || cancellation.isCancelled { return nil }
      do throws(AssetError) {
        if state.reader == nil {
          state.reader = try video.makeFrameReader(fitting: size, cancellation: cancellation)
        }
        let frame = try state.reader?.next(.none)
        if frame == nil { (state.isAtEnd, state.reader) = (true, nil) }
        return frame
      } catch {
        (state.isAtEnd, state.reader) = (true, nil)
        // Decoding that is stopped fails, too; the sequence just ends then.
        if cancellation.isCancelled { return nil }
        throw error
      }
    }
  }
}

extension AssetManager {
  /// Opens a video, an animation or the clip of a Live Photo in the background: PhotoKit's
  /// `requestAVAsset(forVideo:options:resultHandler:)`.
  ///
  /// There is exactly one result.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - options: the version, and whether it may be downloaded.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread, and
  ///     can stop the download.
  ///   - resultHandler: receives the result, on any thread.
  /// - Returns: cancels the request; the result is then `cancelled`, unless it was already delivered.
  @discardableResult
  public func requestVideo(
    for asset: Asset, options: VideoRequestOptions = VideoRequestOptions(),
    progressHandler: (@Sendable (Double) -> DownloadDecision)? = nil,
    resultHandler: @escaping @Sendable (VideoResult) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    WorkerThread.run {
      resultHandler(result(for: asset, options, cancellation, progressHandler ?? { _ in .proceed }))
    }
    return cancellation
  }

  /// Opens a video, an animation or the clip of a Live Photo.
  ///
  ///     let video = try await manager.video(for: asset)
  ///     print(video.duration, video.tracks.map(\.codec))
  ///
  /// Cancelling the task cancels the request.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - options: the version, and whether it may be downloaded.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if it can't be played, or with the codes `networkRequired` and `cancelled`.
  public func video(
    for asset: Asset, options: VideoRequestOptions = VideoRequestOptions(),
    progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) -> Video {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        self.result(for: asset, options, cancellation) { fraction in
          progressHandler?(fraction)
          return .proceed
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    switch result.content {
    case .video(let video): return video
    case .failed(let error): throw error
    case .cancelled: throw .cancelled(asset.subject)
    }
  }

  /// Downloads and opens a video on the calling thread.
  private func result(
    for asset: Asset, _ options: VideoRequestOptions, _ cancellation: Cancellation,
    _ progress: (Double) -> DownloadDecision
  ) -> VideoResult {
    guard let resource = asset.playableResource(for: options.version) else {
      return VideoResult(
        .failed(AssetError(asset.subject, "not an animation or a video", code: .unsupported)))
    }
    let isRemote = !resource.isLocallyAvailable
    do throws(AssetError) {
      if cancellation.isCancelled { return VideoResult(.cancelled) }
      if isRemote {
        guard options.isNetworkAccessAllowed else {
          let error = AssetError(
            asset.subject, "its original is not on this machine, and the network may not be used",
            code: .networkRequired)
          return VideoResult(.failed(error), isInCloud: true)
        }
        try download(resource, of: asset) { fraction in
          let decision = progress(fraction)
          if decision == .stop { cancellation.cancel() }
          return cancellation.isCancelled ? .stop : decision
        }
      }
      if cancellation.isCancelled { return VideoResult(.cancelled) }
      let request = FrameRequest(
        asset: asset, targetSize: Self.size(of: resource, isRemote ? options.deliveryMode : .automatic),
        version: options.version)
      // Decodes the first frame, so that the request fails and not the later reader.
      let reader = try frames(of: request, cancellation: cancellation)
      _ = try reader.next(.none)
      let details = resource.byteRange == nil ? try details(of: asset.playing(resource)).movie : nil
      let duration = details == nil ? reader.length?.seconds : details?.duration
      if cancellation.isCancelled { return VideoResult(.cancelled) }
      let isWhole = resource == asset.primaryResource
      return VideoResult(
        .video(
          Video(
            request, resource, details, duration: duration ?? (isWhole ? asset.duration : 0), self)))
    } catch {
      return VideoResult(cancellation.isCancelled || error.code == .cancelled ? .cancelled : .failed(error))
    }
  }

  private static func size(
    of resource: AssetResource, _ mode: VideoRequestOptions.DeliveryMode
  ) -> PixelSize {
    guard let most = mode.mostPixels else { return .maximum }
    let size = resource.orientation.upright(resource.storedSize)
    return size.height > size.width
      ? PixelSize(width: most.short, height: most.long) : PixelSize(width: most.long, height: most.short)
  }
}

extension Asset {
  /// An asset whose only file is one of its videos, for its facts.
  fileprivate func playing(_ resource: AssetResource) -> Asset {
    var asset = self
    var video = resource
    if video.type != .video { video.type = .video }
    asset.resources = [video]
    return asset
  }
}

extension MovieDetails {
  /// The duration in seconds of the video, otherwise of the longest track; nil if unknown.
  fileprivate var duration: Double? { videoTrack?.duration ?? tracks.compactMap(\.duration).max() }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
