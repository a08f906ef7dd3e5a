import AssetLibrary
import Pixels

/// Makes what jobs ask for out of files: pictures at hand, final pictures, bytes.
///
/// Knows where a picture can come from, nothing of who waits for it. Safe from several threads; each brings
/// its own renderer.
struct PictureMaker: Sendable {
  /// What a job has come to, and what it took.
  struct Made {
    var outcome: ImageOutcome
    /// A thumbnail that is worth keeping on disk.
    var keep: KeptThumbnail?
    /// Adds what was done.
    var count: (inout ImageCounters) -> Void
  }

  let store: any AssetStore
  let foreign: (any ForeignDecoder)?
  let thumbnails: ThumbnailShelf?
  private let colors = ColorManager()
  private let budget = DecodeBudget()

  init(store: any AssetStore, foreign: (any ForeignDecoder)?, thumbnails: ThumbnailShelf?) {
    self.store = store
    self.foreign = foreign
    self.thumbnails = thumbnails
  }

  /// A renderer for one thread; nil when there is no memory for one.
  func renderer() -> PictureRenderer? {
    try? PictureRenderer(budget: budget, colors: colors, foreign: foreign)
  }

  /// How things stand with the file of an order, as far as it is known without opening it.
  func situation(of order: RequestTable.Order) -> RequestTable.Situation {
    guard let resource = order.work.source.resource.map({ order.asset.resources[$0] }) else {
      return RequestTable.Situation()
    }
    guard case .picture(let shape) = order.work.product else {
      return RequestTable.Situation(isRemote: !store.isLocal(resource), cost: Int(resource.byteCount) / 4)
    }
    let isRemote = !store.isLocal(resource)
    return RequestTable.Situation(
      isRemote: isRemote,
      hasThumbnail: isRemote ? proxy(of: order.asset) != nil : resource.thumbnail != nil,
      cost: shape.decodedPixels(
        of: resource.orientation.upright(resource.storedSize),
        inParts: resource.uniformTypeIdentifier == "public.jpeg"))
  }

  /// The small picture that stands here for an original that is elsewhere.
  private func proxy(of asset: Asset) -> AssetResource? {
    asset.resources.first { $0.type == .photoProxy && store.isLocal($0) }
  }

  /// Does a job.
  func make(
    _ job: RequestTable.Job, _ cancellation: Cancellation, _ renderer: inout PictureRenderer
  ) -> Made {
    if let defect = job.asset.defect {
      return failure(AssetError(job.asset.displayName, defect))
    }
    guard let index = job.work.source.resource else { return failure(AssetError("asset", "it has no file")) }
    let resource = job.asset.resources[index]
    do throws(AssetError) {
      if case .picture(let shape) = job.work.product, job.phase == .degraded, !store.isLocal(resource) {
        return try picture(ofProxy: job.asset, shape, cancellation, &renderer)
      }
      let reader = try store.reader(for: resource)
      return switch job.work.product {
      case .data: try data(of: resource, from: reader)
      case .picture(let shape):
        job.phase == .degraded
          ? thumbnail(shape, of: resource, from: reader, cancellation, &renderer)
          : try picture(shape, of: resource, from: reader, cancellation, &renderer)
      }
    } catch {
      return failure(error)
    }
  }

  private func failure(_ error: AssetError) -> Made { Made(outcome: .failure(error)) { _ in } }

  private func data(of resource: AssetResource, from reader: any ResourceReader) throws(AssetError) -> Made {
    guard reader.count <= budget.heldFile else {
      throw AssetError(resource.displayName, "the file is too large to be held in memory")
    }
    let bytes = try reader.bytes(in: 0..<reader.count)
    return Made(outcome: .data(bytes, resource)) { $0.dataReads += 1 }
  }

  private func picture(
    ofProxy asset: Asset, _ shape: PictureShape, _ cancellation: Cancellation,
    _ renderer: inout PictureRenderer
  ) throws(AssetError) -> Made {
    guard let proxy = proxy(of: asset) else { return Made(outcome: .nothing) { _ in } }
    let rendering = try renderer.picture(
      shape, of: proxy, from: store.reader(for: proxy), cancellation: cancellation)
    guard let rendering else { return Made(outcome: .nothing) { _ in } }
    return Made(outcome: .picture(rendering.pixels, isDegraded: true, note: nil)) { $0.thumbnails += 1 }
  }

  private func thumbnail(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    _ cancellation: Cancellation, _ renderer: inout PictureRenderer
  ) -> Made {
    // One on disk is the final picture, and comes as quickly.
    if let stored = stored(shape, of: resource) { return stored }
    let picture = renderer.thumbnail(shape, of: resource, from: reader, cancellation: cancellation)
    return Made(outcome: picture.map { .picture($0, isDegraded: true, note: nil) } ?? .nothing) {
      $0.thumbnails += 1
    }
  }

  private func place(of shape: PictureShape, of resource: AssetResource) -> ThumbnailShelf.Place? {
    thumbnails?.place(for: resource, in: shape, of: resource.orientation.upright(resource.storedSize))
  }

  /// The picture made of the thumbnail on disk, where there is one that shows enough.
  private func stored(_ shape: PictureShape, of resource: AssetResource) -> Made? {
    place(of: shape, of: resource)?.read().map { stored in
      Made(outcome: .picture(stored.shown(as: shape), isDegraded: false, note: nil)) {
        $0.storedThumbnails += 1
      }
    }
  }

  private func picture(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    _ cancellation: Cancellation, _ renderer: inout PictureRenderer
  ) throws(AssetError) -> Made {
    if let stored = stored(shape, of: resource) { return stored }
    let place = place(of: shape, of: resource)
    if let reason = place?.failure() { throw AssetError(resource.displayName, reason) }
    let rendering: PictureRenderer.Rendering?
    do throws(AssetError) {
      rendering = try renderer.picture(
        shape, of: resource, from: reader, keeping: place?.side, cancellation: cancellation)
    } catch {
      place?.write(error)
      throw error
    }
    guard let rendering else { return Made(outcome: .nothing) { _ in } }
    var made = Made(outcome: .picture(rendering.pixels, isDegraded: false, note: rendering.note)) {
      $0.decodes += 1
      $0.decodedPixels += rendering.decodedPixels
    }
    if let place, rendering.note == nil, let thumbnail = rendering.thumbnail {
      made.keep = KeptThumbnail(place: place, picture: thumbnail)
    }
    return made
  }

  /// The pictures of an asset that moves.
  func frames(of request: FrameRequest, _ cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    let asset = request.asset
    if let defect = asset.defect { throw AssetError(asset.displayName, defect) }
    guard let resource = asset.movingResource else {
      throw AssetError(asset.displayName, "it does not move")
    }
    guard store.isLocal(resource) else {
      throw AssetError(asset.displayName, "it is only in a remote library", isTransient: true)
    }
    // A clip within a photo is read out of the whole file.
    var whole = resource
    whole.byteRange = nil
    let reader = try store.reader(for: whole)
    guard resource.byteRange == nil, AnimationReader.knows(reader) else {
      guard let foreign else {
        throw AssetError(asset.displayName, "videos can't be played here", isTransient: true)
      }
      return try foreign.frames(
        of: reader, range: resource.byteRange ?? 0..<reader.count, name: resource.displayName,
        targetSize: request.targetSize, cancellation: cancellation)
    }
    return try AnimationReader(
      reader, name: resource.displayName, orientation: resource.orientation, target: request.targetSize,
      colors: colors, cancellation: cancellation)
  }

  /// Puts a thumbnail on disk.
  /// - Returns: whether it is there now.
  func keep(_ thumbnail: KeptThumbnail) -> Bool { thumbnail.place.write(thumbnail.picture) }
}

/// A thumbnail on its way to the disk.
struct KeptThumbnail: Sendable {
  var place: ThumbnailShelf.Place
  var picture: PixelBuffer
}

extension Asset {
  /// The file's name for messages.
  var displayName: String { primaryResource?.displayName ?? localIdentifier.rawValue }
}
