import AssetLibrary
import CodecProtocol
import MediaFormats
import Pixels
import Rendering

/// Does the jobs of the pipeline: finds out where the pixels or bytes can come from and gets them.
///
/// A final picture comes from a thumbnail on disk or is decoded from the file; a degraded one from the thumbnail in
/// the file, or from the small copy of a remote original. Safe from several threads.
struct ImageLoader: Sendable {
  /// What a job has led to, and what it took.
  struct Result {
    var outcome: ImageOutcome
    /// A thumbnail that is worth keeping on disk.
    var thumbnail: PendingThumbnail?
    /// Adds what was done.
    var count: (inout ImageCounters) -> Void
  }

  let store: any AssetStore
  let renderer: PictureRenderer
  let thumbnails: ThumbnailCache?
  private let stalled: StalledFiles

  init(
    store: any AssetStore, renderer: PictureRenderer, thumbnails: ThumbnailCache?,
    stalled: StalledFiles = StalledFiles()
  ) {
    self.stalled = stalled
    self.store = store
    self.renderer = renderer
    self.thumbnails = thumbnails
  }

  private var budget: DecodeBudget { renderer.budget }
  var foreign: (any ForeignDecoder)? { renderer.foreign }

  /// What is known of the file of a request without opening it.
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
        ? proxy(of: request.asset) != nil || store.mayHavePart(of: resource) : resource.thumbnail != nil,
      cost: cost(of: shape, resource))
  }

  /// About how many pixels are in memory while an answer is made.
  private func cost(of shape: PictureShape, _ resource: AssetResource) -> Int {
    let pixels = shape.decodedPixels(
      of: resource.orientation.upright(resource.storedSize),
      inParts: resource.uniformTypeIdentifier == FileFormat.jpeg.uniformTypeIdentifier)
    // The size is the file's word and may be beyond counting.
    return min(pixels, budget.storedPixels) + budget.rowPixels(of: resource.storedSize)
  }

  /// The small local copy of an original that is remote.
  private func proxy(of asset: Asset) -> AssetResource? {
    asset.resources.first { $0.type == .photoProxy && store.isLocal($0) }
  }

  /// Does a job.
  /// - Parameter urgency: how soon it is needed.
  func run(_ job: ImageJob, _ cancellation: Cancellation, _ urgency: ReaderHelper.Urgency) -> Result {
    var renderer = renderer
    renderer.urgency = urgency
    if let defect = job.asset.defect {
      return failure(AssetError(job.asset.displayName, defect))
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
    // One on disk is the final picture, and comes as quickly.
    if let stored = storedPicture(shape, of: resource) { return stored }
    let picture = renderer.thumbnail(shape, of: resource, from: reader, cancellation: cancellation)
    return Result(outcome: picture.map { .picture($0, isDegraded: true, note: nil) } ?? .nothing) {
      $0.thumbnails += 1
    }
  }

  private func cacheEntry(for shape: PictureShape, of resource: AssetResource) -> ThumbnailCache.Entry? {
    thumbnails?.entry(for: resource, in: shape, of: resource.orientation.upright(resource.storedSize))
  }

  /// The picture made of the thumbnail on disk, where there is one that shows enough.
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
    if let reason = entry?.failure() { throw AssetError(resource.displayName, reason) }
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
