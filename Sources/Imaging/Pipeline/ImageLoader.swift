import AssetLibrary
import CodecProtocol
import MediaFormats
import Pixels
import Rendering
import Synchronization
import SystemPackage

/// Executes the jobs of the pipeline: selects the source of pixels or bytes, and reads it.
///
/// A final image comes from a thumbnail on disk, or is decoded from the file. A degraded image comes from the
/// thumbnail in the file, or from the small local copy of a remote original. Safe to use from several
/// threads.
struct ImageLoader: Sendable {
  /// The outcome of a job, and its costs.
  struct Result {
    var outcome: ImageOutcome
    /// A thumbnail to be stored on disk.
    var thumbnail: PendingThumbnail?
    /// Adds the job to the counters.
    var count: (inout ImageCounters) -> Void
  }

  let store: any OriginalAccess
  let renderer: PictureRenderer
  let thumbnails: ThumbnailCache?
  private let stalled: StalledFiles

  init(
    store: any OriginalAccess, renderer: PictureRenderer, thumbnails: ThumbnailCache?,
    stalled: StalledFiles = StalledFiles()
  ) {
    self.stalled = stalled
    self.store = store
    self.renderer = renderer
    self.thumbnails = thumbnails
  }

  private var budget: DecodeBudget { renderer.budget }
  var foreign: (any ForeignDecoder)? { renderer.foreign }

  /// Returns the known properties of a request's file, without opening it.
  func sourceState(of request: WorkRequest) -> SourceState {
    guard let resource = request.work.source.resource.map({ request.asset.resources[$0] }) else {
      return SourceState()
    }
    let isRemote = !store.isLocal(resource)
    guard case .picture(let shape) = request.work.product else {
      return SourceState(isRemote: isRemote, cost: Int(resource.byteCount) / 4)
    }
    return SourceState(
      isRemote: isRemote,
      hasThumbnail: isRemote
        ? proxy(of: request.asset) != nil || store.mayHavePartialResource(of: resource)
        : resource.thumbnail != nil || mayHaveSmallerThumbnail(for: shape, resource),
      cost: cost(of: shape, resource))
  }

  private func mayHaveSmallerThumbnail(for shape: PictureShape, _ resource: AssetResource) -> Bool {
    let source = resource.orientation.upright(resource.storedSize)
    return thumbnails?.mayHaveSmaller(for: resource, in: shape, of: source) ?? false
  }

  /// Returns the approximate number of pixels in memory while an image is made.
  private func cost(of shape: PictureShape, _ resource: AssetResource) -> Int {
    let pixels = shape.decodedPixels(
      of: resource.orientation.upright(resource.storedSize),
      inParts: resource.uniformTypeIdentifier == FileFormat.jpeg.uniformTypeIdentifier)
    // The size comes from the file and may be absurdly large.
    return min(pixels, budget.storedPixels) + budget.rowPixels(of: resource.storedSize)
  }

  /// Returns the small local copy of a remote original; nil if there is none.
  private func proxy(of asset: Asset) -> AssetResource? {
    asset.resources.first { $0.type == .photoProxy && store.isLocal($0) }
  }

  /// Executes a job.
  /// - Parameter urgency: how soon the result is needed.
  func run(_ job: ImageJob, _ cancellation: Cancellation, _ urgency: ReaderClient.Urgency) -> Result {
    var renderer = renderer
    renderer.urgency = urgency
    if let defect = job.asset.defect {
      return failure(AssetError(job.asset.displayName, defect, code: .damaged))
    }
    guard let index = job.work.source.resource else { return failure(AssetError("asset", "it has no file")) }
    let resource = job.asset.resources[index]
    do throws(AssetError) {
      if case .picture(let shape) = job.work.product, job.phase == .degraded, !store.isLocal(resource) {
        guard let part = store.partialResource(for: resource) else {
          return try proxyPicture(of: job.asset, shape, cancellation, renderer)
        }
        let picture = renderer.thumbnail(
          shape, of: part.resource, from: part.reader, cancellation: cancellation)
        return Result(outcome: picture.map { .picture($0, isDegraded: true, note: nil) } ?? .nothing) {
          $0.thumbnails += 1
        }
      }
      let reader = try store.reader(for: resource)
      return switch job.work.product {
      case .data: try data(of: resource, from: reader)
      case .picture(let shape):
        job.phase == .degraded
          ? degradedPicture(shape, of: resource, from: reader, cancellation, renderer)
          : try finalPicture(shape, of: resource, from: reader, cancellation, renderer)
      }
    } catch {
      return failure(error)
    }
  }

  private func failure(_ error: AssetError) -> Result { Result(outcome: .failure(error)) { _ in } }

  private func data(
    of resource: AssetResource, from reader: any ResourceReader
  ) throws(AssetError) -> Result {
    guard reader.count <= budget.heldFile else {
      throw AssetError(resource.displayName, "the file is too large to be held in memory")
    }
    let bytes = try reader.bytes(in: 0..<reader.count)
    guard bytes.count == reader.count else {
      throw AssetError(resource.displayName, "the file changed while it was read", isTransient: true)
    }
    return Result(outcome: .data(bytes, resource)) { $0.dataReads += 1 }
  }

  private func proxyPicture(
    of asset: Asset, _ shape: PictureShape, _ cancellation: Cancellation, _ renderer: PictureRenderer
  ) throws(AssetError) -> Result {
    guard let proxy = proxy(of: asset) else { return Result(outcome: .nothing) { _ in } }
    let rendering = try renderer.picture(
      shape, of: proxy, from: store.reader(for: proxy), cancellation: cancellation)
    guard let rendering else { return Result(outcome: .nothing) { _ in } }
    return Result(outcome: .picture(rendering.pixels, isDegraded: true, note: nil)) { $0.thumbnails += 1 }
  }

  private func degradedPicture(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    _ cancellation: Cancellation, _ renderer: PictureRenderer
  ) -> Result {
    // A thumbnail on disk serves as the final image, and is read just as quickly.
    if let stored = storedPicture(shape, of: resource) { return stored }
    let source = resource.orientation.upright(resource.storedSize)
    let smaller = thumbnails?.smaller(for: resource, in: shape, of: source)?.standingIn(for: shape)
    // The thumbnail in the file is rarely larger than those that are stored for high resolutions.
    if let smaller, max(smaller.width, smaller.height) > ThumbnailSize.large.side || resource.thumbnail == nil
    {
      return Result(outcome: .picture(smaller, isDegraded: true, note: nil)) { $0.storedThumbnails += 1 }
    }
    guard resource.thumbnail != nil else { return Result(outcome: .nothing) { _ in } }
    var picture = renderer.thumbnail(shape, of: resource, from: reader, cancellation: cancellation)
    if let smaller, smaller.size.area > picture?.size.area ?? 0 { picture = smaller }
    return Result(outcome: picture.map { .picture($0, isDegraded: true, note: nil) } ?? .nothing) {
      $0.thumbnails += 1
    }
  }

  private func cacheEntry(for shape: PictureShape, of resource: AssetResource) -> ThumbnailCache.Entry? {
    thumbnails?.entry(for: resource, in: shape, of: resource.orientation.upright(resource.storedSize))
  }

  /// Returns an image made from the thumbnail on disk; nil if there is none of sufficient size.
  private func storedPicture(_ shape: PictureShape, of resource: AssetResource) -> Result? {
    cacheEntry(for: shape, of: resource)?.read().map { stored in
      Result(outcome: .picture(stored.shown(as: shape), isDegraded: false, note: nil)) {
        $0.storedThumbnails += 1
      }
    }
  }

  private func finalPicture(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    _ cancellation: Cancellation, _ renderer: PictureRenderer
  ) throws(AssetError) -> Result {
    if let stored = storedPicture(shape, of: resource) { return stored }
    let entry = cacheEntry(for: shape, of: resource)
    if let reason = entry?.failure() {
      throw AssetError(resource.displayName, reason, code: .damaged)
    }
    if let error = stalled.error(for: resource) { throw error }
    let rendering: Rendering?
    do throws(AssetError) {
      rendering = try renderer.picture(
        shape, of: resource, from: reader, keeping: entry?.side, cancellation: cancellation)
    } catch {
      if !error.isStall {
        entry?.write(error)
      } else if stalled.note(error, of: resource) {
        entry?.writeStall(error)
      }
      throw error
    }
    guard let rendering else { return Result(outcome: .nothing) { _ in } }
    stalled.forget(resource)
    var result = Result(outcome: .picture(rendering.pixels, isDegraded: false, note: rendering.note)) {
      $0.decodes += 1
      $0.decodedPixels += rendering.decodedPixels
    }
    if let entry, rendering.note == nil, let thumbnail = rendering.thumbnail {
      result.thumbnail = PendingThumbnail(entry: entry, picture: thumbnail)
    }
    return result
  }
}

extension ImageLoader {
  /// Opens an asset for playback.
  func frames(of request: FrameRequest, _ cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    let asset = request.asset
    if let defect = asset.defect { throw AssetError(asset.displayName, defect, code: .damaged) }
    guard let resource = request.resource else {
      throw AssetError(asset.displayName, "not an animation or a video", code: .unsupported)
    }
    guard store.isLocal(resource) else {
      throw AssetError(
        asset.displayName, "it is only in a remote library", code: .networkRequired, isTransient: true)
    }
    // A clip inside a photo is read from the whole file.
    var whole = resource
    whole.byteRange = nil
    let reader = try store.reader(for: whole)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    if resource.byteRange == nil, format?.decoder == .builtIn, format?.canBeAnimated ?? false {
      return try renderer.frames(
        of: resource, from: reader, toFit: request.targetSize, cancellation: cancellation)
    }
    guard let foreign else {
      throw AssetError(
        asset.displayName, "videos can't be played here", code: .helperMissing, isTransient: true)
    }
    return try foreign.frames(
      of: reader, range: resource.byteRange ?? 0..<reader.count, name: resource.displayName,
      targetSize: request.targetSize, cancellation: cancellation)
  }

  /// Returns the approximate number of pixels in memory during playback of an animation; 0 for a video, which
  /// holds one frame.
  func pixels(of request: FrameRequest) -> Int {
    guard let resource = request.resource, resource.byteRange == nil,
      FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)?.decoder == .builtIn
    else { return 0 }
    return min(resource.storedSize.area, AnimationBudget.canvasPixels) * AnimationBudget.canvases
  }
}

/// The files whose decoding stalled in this run, and when to retry each of them.
///
/// A stall blocks a decoder for many seconds, so each one doubles the delay before the next retry. Methods
/// may be called from any thread.
final class StalledFiles: Sendable {
  private struct Key: Hashable {
    var path: FilePath
    var range: Range<Int>?
  }

  private struct Stall {
    /// The version of the file that stalled.
    var subject: ThumbnailSubject?
    var error: AssetError
    var count: Int
    var end: ContinuousClock.Instant
  }

  /// The delay after the first stall, and the maximum delay.
  private static let shortest: Duration = .seconds(20)
  private static let longest: Duration = .seconds(1200)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let stalls = Mutex<[Key: Stall]>([:])

  /// - Parameter now: returns the current time; tests replace it.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Returns the error of a file that must not be retried yet; nil if it may be decoded.
  func error(for resource: AssetResource) -> AssetError? {
    let key = Self.key(of: resource)
    guard let stall = stalls.withLock({ $0[key] }), now() < stall.end else { return nil }
    // A stall of an earlier version does not apply to a changed file.
    return stall.subject == ThumbnailSubject(fileAt: resource.path) ? stall.error : nil
  }

  /// Records a stall.
  /// - Returns: whether it is the file's first in this run.
  func note(_ error: AssetError, of resource: AssetResource) -> Bool {
    let subject = ThumbnailSubject(fileAt: resource.path)
    let time = now()
    return stalls.withLock { stalls in
      let key = Self.key(of: resource)
      let before = stalls[key].flatMap { $0.subject == subject ? $0.count : nil } ?? 0
      let pause = min(Self.longest, Self.shortest * (1 << min(before, 16)))
      stalls[key] = Stall(subject: subject, error: error, count: before + 1, end: time + pause)
      return before == 0
    }
  }

  /// Removes the record of a file that was decoded successfully.
  func forget(_ resource: AssetResource) {
    stalls.withLock { stalls in
      if !stalls.isEmpty { stalls[Self.key(of: resource)] = nil }
    }
  }

  private static func key(of resource: AssetResource) -> Key {
    Key(path: resource.path, range: resource.byteRange)
  }
}

extension AssetResource {
  /// The file name for messages.
  var displayName: String { String(decoding: filename, as: UTF8.self) }
}

extension Asset {
  /// The name of the asset's file for messages.
  var displayName: String { primaryResource?.displayName ?? localIdentifier.rawValue }
}
