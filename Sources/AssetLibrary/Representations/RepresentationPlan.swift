import MediaFormats
import Pixels

/// The operation that delivers an asset.
///
/// It is determined from the library's metadata, without opening a file.
public enum RepresentationPlan: Hashable, Sendable {
  /// The formats that images are converted to.
  public enum PictureFormat: Hashable, Sendable {
    /// JPEG, without transparency.
    case jpeg
    /// PNG, without loss.
    case png
  }

  /// Deliver the file unchanged.
  case file(AssetResource)
  /// Remove metadata; image or video data stays unchanged. A file that has none of it is delivered unchanged if only
  /// captions are to be removed.
  case stripped(AssetResource)
  /// Convert to an image in the first of these formats that preserves it: transparency excludes JPEG, unless
  /// it is the only format.
  case picture(AssetResource, [PictureFormat])
  /// Convert to a widely supported MP4; a file that already is one is delivered unchanged.
  case video(AssetResource)
  /// Write a part of a video, from its start, as a widely supported MP4.
  case videoPart(AssetResource, Range<Duration>)
  /// Write a frame of a Live Photo's clip, at a time from the start of the clip, in place of the still image: with the
  /// metadata of the still image, in the first of these formats.
  case keyPhoto(AssetResource, clip: AssetResource, at: Duration, [PictureFormat])
  /// The asset can't be delivered as requested, for this reason.
  case unavailable(String)

  /// The resource to deliver, unchanged or converted; nil if `unavailable`.
  public var resource: AssetResource? {
    switch self {
    case .file(let resource), .stripped(let resource), .picture(let resource, _), .video(let resource),
      .videoPart(let resource, _), .keyPhoto(let resource, _, _, _):
      resource
    case .unavailable: nil
    }
  }

  /// The reason for `unavailable`; nil for other plans.
  public var unavailability: String? { if case .unavailable(let reason) = self { reason } else { nil } }
}

extension RepresentationPlan {
  /// Determines how to deliver an asset.
  public init(_ asset: Asset, _ options: RepresentationOptions) {
    guard let primary = asset.primaryResource else {
      self = .unavailable("it has no file")
      return
    }
    let planner = Planner(asset: asset, primary: primary, options: options)
    if let trim = asset.trim {
      self = planner.plan(for: trim)
    } else if let time = asset.keyPhotoTime {
      self = planner.plan(forKeyPhotoAt: time)
    } else {
      self = options.isPlain ? .file(primary) : planner.plan
    }
  }
}

/// Determines the representation of one asset.
private struct Planner {
  let asset: Asset
  let primary: AssetResource
  let options: RepresentationOptions

  /// Formats that all programs and web pages show, except for rare variants of JPEG.
  private static let compatiblePictures: Set<FileFormat> = [.jpeg, .png, .gif]
  /// Formats whose metadata can be removed without decoding the pixels.
  private static let strippable: Set<FileFormat> = [.jpeg, .png, .webp, .gif, .bmp]

  /// Formats without a place for captions.
  private static let captionless: Set<FileFormat> = [.bmp, .qoi, .mpegTransport]
  /// Formats whose captions can be overwritten without changing anything else.
  private static let captionsCanBeOverwritten: Set<FileFormat> = [
    .jpeg, .png, .webp, .gif, .heic, .avif, .tiff, .dng, .cr2, .nef, .arw, .pef, .srw, .mp4, .m4v, .quickTime,
    .threeGP, .matroska, .webm, .avi,
  ]

  var plan: RepresentationPlan {
    let candidates = ([primary] + others).compactMap { resource in
      FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier).map { (resource, $0) }
    }
    guard let (resource, format) = candidates.first else {
      return options.acceptedTypes == nil && options.mode != .compatible && options.keepsMetadata
        ? .file(primary) : .unavailable("its format is not known")
    }
    if let accepted = candidates.first(where: { accepts($0.1) }) { return plan(accepted.0, accepted.1) }
    guard options.mode != .current else { return .unavailable(refusal(format)) }
    if let plan = conversion(resource, format) { return plan }
    for (resource, format) in candidates.dropFirst() {
      if let plan = conversion(resource, format) { return plan }
    }
    return .unavailable(refusal(format))
  }

  /// Plans for a part of a video: always a new file.
  func plan(for part: Range<Duration>) -> RepresentationPlan {
    let format = FileFormat(uniformTypeIdentifier: primary.uniformTypeIdentifier)
    guard format?.isVideo ?? false, part.lowerBound >= .zero else {
      return .unavailable("it can't be trimmed")
    }
    guard options.mode != .current, options.acceptedTypes?.admits(.mp4) ?? true else {
      return .unavailable("a part of it is a new MP4, which is not accepted")
    }
    let plan = RepresentationPlan.videoPart(primary, part)
    if let most = options.byteCount, plan.estimatedByteCount(of: asset, options).byteCount > most {
      return .unavailable(tooLarge)
    }
    return plan
  }

  /// Plans for a frame of the clip in place of the still image: a new file, unless only the clip is accepted.
  func plan(forKeyPhotoAt time: Duration) -> RepresentationPlan {
    guard let clip = asset.clip(), clip != primary, time >= .zero else {
      return .unavailable("it has no clip that a key photo could be taken from")
    }
    let formats = pictureFormats
    if formats.isEmpty {
      let plan = plan
      if plan.resource == clip { return plan }
    }
    guard options.mode != .current, !formats.isEmpty else {
      return .unavailable("its new key photo is a new JPEG, which is not accepted")
    }
    return .keyPhoto(primary, clip: clip, at: time, formats)
  }

  /// The formats that images can be converted to, the preferred one first; empty if none is accepted.
  private var pictureFormats: [RepresentationPlan.PictureFormat] {
    let types = options.acceptedTypes
    var formats: [RepresentationPlan.PictureFormat] = []
    if types?.admits(.jpeg) ?? true { formats.append(.jpeg) }
    if types?.admits(.png) ?? true { formats.append(.png) }
    return formats
  }

  /// Files with the same content as the primary one: the JPEG beside a raw file, the clip of a Live Photo.
  private var others: [AssetResource] {
    asset.resources.dropFirst().filter { resource in
      guard options.acceptedTypes != nil else { return false }
      return switch resource.type {
      case .pairedVideo, .fullSizePairedVideo: resource == asset.clip()
      // If the primary file is an edited version, the originals differ from it.
      case .photo, .alternatePhoto: ![.fullSizePhoto, .fullSizeVideo].contains(primary.type)
      default: false
      }
    }
  }

  private func accepts(_ format: FileFormat) -> Bool {
    if let types = options.acceptedTypes { return types.admits(format) }
    return options.mode != .compatible || Self.compatiblePictures.contains(format) || format.isVideo
  }

  private func refusal(_ format: FileFormat) -> String {
    "\(Wording.withArticle(format.name)) file can't be delivered as \(options.acceptedTypes.map { "\($0)" } ?? "requested")"
  }

  /// Plans for a file of an accepted type: unchanged, unless it is too large or contains metadata to remove.
  private func plan(_ resource: AssetResource, _ format: FileFormat) -> RepresentationPlan {
    if format.isVideo {
      if isTooHeavy(resource) { return .unavailable(tooLarge) }
      let canConvert = options.mode != .current && options.acceptedTypes?.admits(.mp4) ?? true
      if isTooLong(resource) { return canConvert ? .video(resource) : .unavailable(tooLarge) }
      if options.mode == .compatible, canConvert { return .video(resource) }
      if options.stripping != .nothing { return .stripped(resource) }
      return losesCaptions(format) && resource.byteRange == nil ? .stripped(resource) : whole(resource)
    }
    // A part of another file can be extracted only if it is a video.
    let mustChange =
      isTooLong(resource) || isTooHeavy(resource) || options.quality != nil && format == .jpeg
      || options.mode == .compatible && resource.isRareJPEG
    if mustChange {
      return options.mode == .current
        ? .unavailable(tooLarge) : conversion(resource, format) ?? .unavailable(tooLarge)
    }
    guard options.stripping != .nothing || losesCaptions(format) else { return .file(resource) }
    let canStay = options.stripping == .nothing ? Self.captionsCanBeOverwritten : Self.strippable
    if canStay.contains(format) { return .stripped(resource) }
    if options.mode != .current, let plan = conversion(resource, format) { return plan }
    return .unavailable(
      "metadata can't be removed from \(Wording.withArticle(format.name)) file that is not converted")
  }

  /// Whether captions are to be removed from a format that may have some.
  private func losesCaptions(_ format: FileFormat) -> Bool {
    options.removesCaptions && !Self.captionless.contains(format)
  }

  private func whole(_ resource: AssetResource) -> RepresentationPlan {
    // The clip inside a Motion Photo is extracted into a file of its own.
    resource.byteRange == nil ? .file(resource) : .video(resource)
  }

  /// Returns the conversion of a file to an accepted format; nil if there is none.
  private func conversion(_ resource: AssetResource, _ format: FileFormat) -> RepresentationPlan? {
    let types = options.acceptedTypes
    if format.isVideo { return types?.admits(.mp4) ?? true ? .video(resource) : nil }
    var formats = pictureFormats
    // Keep a lossless image lossless unless a size or quality limit prevents it.
    if format == .png, options.byteCount == nil, options.quality == nil {
      formats.sort { $0 == .png && $1 != .png }
    }
    return formats.isEmpty ? nil : .picture(resource, formats)
  }

  private func isTooLong(_ resource: AssetResource) -> Bool {
    guard let side = options.longestSide else { return false }
    let size = resource.storedSize.isEmpty ? asset.pixelSize : resource.storedSize
    return max(size.width, size.height) > side
  }

  private func isTooHeavy(_ resource: AssetResource) -> Bool {
    options.byteCount.map { resource.byteCount > $0 } ?? false
  }

  private var tooLarge: String {
    options.mode == .current
      ? "it exceeds the size limit and must not be converted" : "it exceeds the size limit"
  }
}
