import MediaFormats
import Pixels

/// What has to be done to hand an asset over.
///
/// Worked out of what the library knows, without opening a file.
public enum RepresentationPlan: Hashable, Sendable {
  /// A format that pictures are converted to.
  public enum PictureFormat: Hashable, Sendable { case jpeg, png }

  /// The file goes as it is.
  case file(AssetResource)
  /// The picture or video stays as it is, and loses metadata.
  case stripped(AssetResource)
  /// A picture is made of it, in the first of these formats that can show it: a JPEG can't where something is
  /// transparent, unless it is the only one.
  case picture(AssetResource, [PictureFormat])
  /// An MP4 is made of it that plays everywhere; where it does so already, it goes as it is.
  case video(AssetResource)
  /// It can't be handed over as it is wanted, for this reason.
  case unavailable(String)

  /// The resource that is handed over in one shape or another.
  public var resource: AssetResource? {
    switch self {
    case .file(let resource), .stripped(let resource), .picture(let resource, _), .video(let resource):
      resource
    case .unavailable: nil
    }
  }

  /// Why there is none; nil where there is one.
  public var unavailability: String? { if case .unavailable(let reason) = self { reason } else { nil } }
}

extension RepresentationPlan {
  /// Works out how an asset is handed over.
  public init(_ asset: Asset, _ options: RepresentationOptions) {
    guard let primary = asset.primaryResource else {
      self = .unavailable("it has no file")
      return
    }
    guard !options.isPlain else {
      self = .file(primary)
      return
    }
    self = Planner(asset: asset, primary: primary, options: options).plan
  }
}

/// Decides on the representation of one asset.
private struct Planner {
  let asset: Asset
  let primary: AssetResource
  let options: RepresentationOptions

  /// What every program and page shows, but for JPEGs that are rare.
  private static let compatiblePictures: Set<FileFormat> = [.jpeg, .png, .gif]
  /// Their metadata can be taken out without touching their pixels.
  private static let strippable: Set<FileFormat> = [.jpeg, .png, .webp, .gif, .bmp]

  var plan: RepresentationPlan {
    let candidates = ([primary] + others).compactMap { resource in
      FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier).map { (resource, $0) }
    }
    guard let (resource, format) = candidates.first else {
      return options.acceptedTypes == nil && options.mode != .compatible && options.stripping == .nothing
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

  /// Files that show the same as the primary one: the JPEG beside a raw file, the clip of a Live Photo.
  private var others: [AssetResource] {
    asset.resources.dropFirst().filter { resource in
      guard options.acceptedTypes != nil else { return false }
      return switch resource.type {
      case .pairedVideo: true
      // Where the first one is the edited version, the others are not it.
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
    "\(Wording.withArticle(format.name)) file can't be handed over as \(options.acceptedTypes.map { "\($0)" } ?? "it is wanted")"
  }

  /// An accepted file: as it is, unless it is too large or says too much.
  private func plan(_ resource: AssetResource, _ format: FileFormat) -> RepresentationPlan {
    if format.isVideo {
      if isTooHeavy(resource) { return .unavailable(tooLarge) }
      let canConvert = options.mode != .current && options.acceptedTypes?.admits(.mp4) ?? true
      if isTooLong(resource) { return canConvert ? .video(resource) : .unavailable(tooLarge) }
      if options.mode == .compatible, canConvert { return .video(resource) }
      return options.stripping == .nothing ? whole(resource) : .stripped(resource)
    }
    // A part of another file is a file of its own only as a video.
    let mustChange =
      isTooLong(resource) || isTooHeavy(resource) || options.quality != nil && format == .jpeg
      || options.mode == .compatible && resource.isRareJPEG
    if mustChange {
      return options.mode == .current
        ? .unavailable(tooLarge) : conversion(resource, format) ?? .unavailable(tooLarge)
    }
    guard options.stripping != .nothing else { return .file(resource) }
    if Self.strippable.contains(format) { return .stripped(resource) }
    if options.mode != .current, let plan = conversion(resource, format) { return plan }
    return .unavailable(
      "metadata can't be removed from \(Wording.withArticle(format.name)) file that is not converted")
  }

  private func whole(_ resource: AssetResource) -> RepresentationPlan {
    // The clip within a Motion Photo becomes a file of its own.
    resource.byteRange == nil ? .file(resource) : .video(resource)
  }

  /// What can be made of a file that is accepted.
  private func conversion(_ resource: AssetResource, _ format: FileFormat) -> RepresentationPlan? {
    let types = options.acceptedTypes
    if format.isVideo { return types?.admits(.mp4) ?? true ? .video(resource) : nil }
    var formats: [RepresentationPlan.PictureFormat] = []
    if types?.admits(.jpeg) ?? true { formats.append(.jpeg) }
    if types?.admits(.png) ?? true { formats.append(.png) }
    // Where nothing asks for another format a picture without loss stays one.
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
      ? "it is larger than it may be, and not to be converted" : "it is larger than it may be"
  }
}
