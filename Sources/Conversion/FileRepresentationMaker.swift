package import AssetLibrary
package import CodecProtocol
package import Export
package import Imaging
import MediaFormats
import Metadata
import Pixels

/// Makes representations of local files: pictures with tpick's encoders and the helpers, videos with FFmpeg.
///
/// May be used from several threads.
package struct FileRepresentationMaker: RepresentationMaker {
  let store: any OriginalAccess
  let metadata: MetadataSource
  let pictures: PictureConverter
  private let movies: MovieConverter

  /// - Parameters:
  ///   - reader: decodes light formats.
  ///   - foreign: decodes all other formats.
  ///   - blocks: reads and writes metadata.
  ///   - helper: reads the metadata of formats that only the codec helper knows.
  package init(
    _ store: any OriginalAccess, reader: ReaderClient = .standard, foreign: any ForeignDecoder,
    blocks: MetadataClient = .standard, helper: CodecClient
  ) {
    self.store = store
    metadata = MetadataSource(reader: blocks, helper: helper)
    pictures = PictureConverter(store: store, reader: reader, foreign: foreign, metadata: metadata)
    movies = MovieConverter(store: store)
  }

  package func make(
    _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation {
    if options.removesCaptions, options.stripping == .nothing, case .stripped(let resource) = plan {
      return try removeCaptions(from: resource, reason: nil, into: descriptor, cancellation)
    }
    let made = try convert(plan, options, into: descriptor, cancellation: cancellation, progress: progress)
    // A video that need not be converted, or can't be.
    guard options.removesCaptions, case .resource(let reason) = made, let resource = plan.resource else {
      return made
    }
    return try removeCaptions(from: resource, reason: reason, into: descriptor, cancellation)
  }

  private func convert(
    _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation {
    switch plan {
    case .picture(let resource, let formats):
      let output = OutputFile(descriptor, for: resource.name)
      return .file(
        try pictures.convert(resource, to: formats, options, into: output, cancellation: cancellation))
    case .keyPhoto(let still, let clip, let time, let formats):
      var facts = try pictures.convert(
        frameOf: clip, at: time, inPlaceOf: still, to: formats, options,
        into: OutputFile(descriptor, for: still.name), cancellation: cancellation)
      if clip.byteRange != nil {
        // No other file has it: a Motion Photo becomes a photo.
        facts.remark = [facts.remark, "was written without its clip"].compactMap(\.self)
          .joined(separator: "; ")
      }
      return .file(facts)
    case .video(let resource):
      return try movies.convert(
        resource, isCompatible: true, options, into: descriptor, cancellation: cancellation,
        progress: progress)
    case .videoPart(let resource, let part):
      return try movies.convert(
        resource, isCompatible: true, part: part, options, into: descriptor, cancellation: cancellation,
        progress: progress)
    case .stripped(let resource) where resource.isVideo:
      return try movies.convert(
        resource, isCompatible: false, options, into: descriptor, cancellation: cancellation,
        progress: progress)
    case .stripped(let resource):
      return try strip(resource, options, into: descriptor, cancellation)
    case .file: return .resource(reason: nil)
    case .unavailable(let reason): throw AssetError("asset", reason)
    }
  }

  /// Copies a file without its captions; all else stays as it is.
  /// - Parameter reason: why it is not converted.
  /// - Returns: the resource itself if it has no captions.
  private func removeCaptions(
    from resource: AssetResource, reason: String?, into descriptor: Int32, _ cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation {
    let reader = try store.reader(for: resource)
    let captions = try metadata.captionEdits(of: resource, from: reader)
    if captions.edits.isEmpty { return .resource(reason: reason) }
    let output = OutputFile(descriptor, for: resource.name)
    var input = ByteStream(reader, cancellation: cancellation)
    var position = 0
    for edit in captions.edits {
      try input.copy(edit.range.lowerBound - position, to: output)
      try output.write(edit.bytes)
      try input.skip(edit.range.count)
      position = edit.range.upperBound
    }
    try input.copy(max(0, reader.count - position), to: output)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    let remarks = [reason, captions.losses.remark].compactMap { $0 }
    return .file(
      MadeRepresentation.Facts(
        uniformTypeIdentifier: resource.uniformTypeIdentifier,
        // A video inside a photo's file has the photo's name.
        suffix: resource.byteRange == nil ? nil : format?.suffixes.first,
        remark: remarks.isEmpty ? nil : remarks.joined(separator: "; "), method: "rewritten"))
  }

  private func strip(
    _ resource: AssetResource, _ options: RepresentationOptions, into descriptor: Int32,
    _ cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation {
    let reader = try store.reader(for: resource)
    let output = OutputFile(descriptor, for: resource.name)
    let input = ByteStream(reader, cancellation: cancellation)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    let policy = MetadataPolicy(
      stripping: options.stripping.policy, removesCaptions: options.removesCaptions)
    // The metadata also contains what is needed to display the picture, such as its orientation.
    var blocks = try metadata.output(
      MetadataRequest(policy, longestXMP: format == .jpeg ? JPEGSegments.longestXMP : nil), of: resource,
      from: reader)
    switch format {
    case .jpeg: try StrippedJPEG.write(input, blocks, into: output, name: resource.name)
    case .png: try StrippedPNG.write(input, blocks, into: output, name: resource.name)
    case .webp:
      try StrippedWebP.write(input, count: reader.count, blocks, into: output, name: resource.name)
    case .gif:
      let hadXMP = try StrippedGIF.write(input, into: output, name: resource.name)
      if hadXMP, policy.stripping != .all { blocks.losses.insert(.xmp) }
    case .bmp: try StrippedBMP.write(input, into: output, name: resource.name)
    default: throw AssetError(resource.name, "its metadata can't be removed")
    }
    let lacking: Set<MetadataLoss> =
      switch format {
      case .jpeg: []
      case .gif, .bmp: [.exif, .xmp, .iptc]
      default: [.iptc]
      }
    return .file(
      MadeRepresentation.Facts(
        uniformTypeIdentifier: resource.uniformTypeIdentifier, suffix: nil,
        remark: blocks.remark(lacking: lacking)))
  }
}

extension AssetResource {
  var isVideo: Bool { FileFormat(uniformTypeIdentifier: uniformTypeIdentifier)?.isVideo ?? false }

  /// The file's name for messages.
  var name: String { String(decoding: filename, as: UTF8.self) }
}
