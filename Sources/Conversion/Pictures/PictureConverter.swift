import AssetLibrary
import CodecProtocol
import Export
import Imaging
import MediaFormats
import Metadata
import Pixels
import Rendering
import System
import SystemPackage

/// Converts pictures of all formats to JPEG or PNG: upright, in sRGB, with their metadata.
struct PictureConverter: Sendable {
  let store: any OriginalAccess
  let reader: ReaderClient
  let foreign: (any ForeignDecoder)?
  let metadata: MetadataSource

  func convert(
    _ resource: AssetResource, to formats: [RepresentationPlan.PictureFormat],
    _ options: RepresentationOptions, into output: OutputFile, cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation.Facts {
    let file = try store.reader(for: resource)
    var renderer = PictureRenderer(reader, foreign: foreign)
    renderer.budget.decodedPixels = Self.mostPixels
    renderer.budget.workingBytes = 512 << 20
    let side = options.longestSide.map { PixelSize(width: $0, height: $0) }
    let converted = try renderer.converted(
      resource, from: file, toFit: side, cancellation: cancellation)
    guard let (pixels, note) = converted else { throw .cancelled }
    return try write(pixels, note, of: resource, file, as: formats, options, into: output, cancellation)
  }

  /// Writes a frame of a clip in place of a still image, with the metadata of that image.
  /// - Parameter time: the time of the frame, from the start of the clip.
  func convert(
    frameOf clip: AssetResource, at time: Duration, inPlaceOf still: AssetResource,
    to formats: [RepresentationPlan.PictureFormat], _ options: RepresentationOptions,
    into output: OutputFile, cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation.Facts {
    let pixels = try frame(of: clip, at: time, toFit: options.longestSide, cancellation)
    var options = options
    options.quality = options.quality ?? FramePhoto.quality
    return try write(
      pixels, nil, of: still, try store.reader(for: still), as: formats, options, into: output, cancellation)
  }

  /// Decodes a frame as playback does, so that it is the one that was seen.
  private func frame(
    of clip: AssetResource, at time: Duration, toFit side: Int?, _ cancellation: Cancellation
  ) throws(AssetError) -> PixelBuffer {
    guard let foreign else {
      throw AssetError(clip.name, "videos can't be read here", code: .helperMissing)
    }
    // A clip inside a photo is read from the whole file.
    var whole = clip
    whole.byteRange = nil
    let file = try store.reader(for: whole)
    let side = side ?? Self.longestFrameSide
    let frames = try foreign.frames(
      of: file, range: clip.byteRange ?? 0..<file.count, name: clip.name,
      targetSize: PixelSize(width: side, height: side), cancellation: cancellation)
    try frames.seek(to: time)
    guard let frame = try frames.next(.none) else {
      if cancellation.isCancelled { throw .cancelled }
      throw AssetError(clip.name, "the frame can't be read", code: .damaged)
    }
    return frame.pixels
  }

  /// Frames are never enlarged.
  private static let longestFrameSide = 1 << 16

  /// Writes pixels with the metadata of a picture.
  private func write(
    _ pixels: PixelBuffer, _ note: String?, of resource: AssetResource, _ file: any ResourceReader,
    as formats: [RepresentationPlan.PictureFormat], _ options: RepresentationOptions,
    into output: OutputFile, _ cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation.Facts {
    let name = resource.name
    let policy = MetadataPolicy(
      stripping: options.stripping.policy, removesCaptions: options.removesCaptions, newSize: pixels.size)
    let blocks = Blocks(source: metadata, resource: resource, file: file, byteCount: options.byteCount)
    let format = pixels.isOpaque ? formats.first : formats.first { $0 == .png } ?? formats.first
    var facts: MadeRepresentation.Facts
    let written: MetadataOutput
    switch format ?? .jpeg {
    case .jpeg:
      let size: PixelSize
      (size, written) = try writeJPEG(pixels, policy, blocks, options, name, output, cancellation)
      facts = MadeRepresentation.Facts(
        uniformTypeIdentifier: FileFormat.jpeg.uniformTypeIdentifier, suffix: "jpg", size: size)
    case .png:
      let size: PixelSize
      (size, written) = try writePNG(pixels, policy, blocks, options, name, output)
      facts = MadeRepresentation.Facts(
        uniformTypeIdentifier: FileFormat.png.uniformTypeIdentifier, suffix: "png", size: size)
    }
    let lacking: Set<MetadataLoss> = format == .png ? [.iptc] : []
    let remarks = [note, written.remark(lacking: lacking)].compactMap { $0 }
    facts.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    return facts
  }

  /// Larger pictures are not converted: each pixel takes four bytes.
  private static let mostPixels = 200_000_000

  /// The metadata of a picture.
  private struct Blocks {
    let source: MetadataSource
    let resource: AssetResource
    let file: any ResourceReader
    /// The maximum size of the whole file in bytes; nil = unlimited.
    let byteCount: Int64?

    /// Returns the metadata to write.
    ///
    /// If it can't be read, the picture is written without it.
    func output(_ policy: MetadataPolicy, longestXMP: Int? = nil) -> MetadataOutput {
      // Metadata gets at most half of the maximum size.
      let request = MetadataRequest(
        policy, byteCount: byteCount.map { Int(clamping: $0 / 2) }, longestXMP: longestXMP)
      do throws(AssetError) {
        return try source.output(request, of: resource, from: file)
      } catch {
        var output = MetadataOutput()
        if policy.stripping != .all { output.losses = [.all] }
        return output
      }
    }
  }

  // MARK: JPEG

  private func writeJPEG(
    _ picture: PixelBuffer, _ policy: MetadataPolicy, _ blocks: Blocks,
    _ options: RepresentationOptions, _ name: String, _ output: OutputFile, _ cancellation: Cancellation
  ) throws(AssetError) -> (PixelSize, MetadataOutput) {
    let pixels = picture.isOpaque ? picture : picture.onWhite
    let quality = options.quality ?? RepresentationOptions.standardQuality
    let jpeg: [UInt8]
    var size = pixels.size
    if let byteCount = options.byteCount {
      let metadata = blocks.output(policy, longestXMP: JPEGSegments.longestXMP)
      let room = Int(clamping: byteCount) - segments(metadata).count
      let fitter = JPEGFitter(byteCount: room, quality: quality)
      let fit = fitter.fit(pixels.size) { size, quality in
        if cancellation.isCancelled { return nil }
        return JPEGEncoder.encode(
          size == pixels.size ? pixels : pixels.resampled(to: size), quality: quality,
          subsampling: .standard(quality))
      }
      if cancellation.isCancelled { throw .cancelled }
      guard let fit else {
        throw AssetError(name, "can't be made as small as \(Wording.count(byteCount, "byte"))")
      }
      (jpeg, size) = (fit.bytes, fit.size)
    } else {
      guard
        let bytes = JPEGEncoder.encode(pixels, quality: quality, subsampling: .standard(quality))
      else { throw AssetError(name, "not enough memory to convert it", isStall: true) }
      jpeg = bytes
    }
    var policy = policy
    policy.newSize = size
    let metadata = blocks.output(policy, longestXMP: JPEGSegments.longestXMP)
    let head = segments(metadata)
    // EXIF requires its segment to come first, as does JFIF; by their standards the two exclude each other.
    let start = !metadata.hasEXIF || policy.stripping == .all ? 0 : JPEGEncoder.headLength
    if start == 0 {
      try output.write(jpeg[..<JPEGEncoder.headLength])
      try output.write(head)
    } else {
      try output.write(jpeg[..<2])
      try output.write(head)
    }
    try output.write(jpeg[JPEGEncoder.headLength...])
    return (size, metadata)
  }

  /// Returns the segments of the metadata and of the color profile.
  private func segments(_ metadata: MetadataOutput) -> [UInt8] {
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + SRGBProfile.bytes
    return JPEGSegments.bytes(metadata) + JPEGSegments.segment(0xE2, profile)
  }

  // MARK: PNG

  private func writePNG(
    _ picture: PixelBuffer, _ policy: MetadataPolicy, _ blocks: Blocks,
    _ options: RepresentationOptions, _ name: String, _ output: OutputFile
  ) throws(AssetError) -> (PixelSize, MetadataOutput) {
    var (pixels, policy) = (picture, policy)
    while true {
      policy.newSize = pixels.size
      let metadata = blocks.output(policy)
      let texts =
        metadata.xmp.isEmpty
        ? [] : [PNGEncoder.Text("XML:com.adobe.xmp", metadata.xmp, isInternational: true)]
      guard let bytes = PNGEncoder.encode(pixels, texts: texts, exif: metadata.exif) else {
        throw AssetError(name, "not enough memory to convert it", isStall: true)
      }
      let most = options.byteCount.map { Int(clamping: $0) } ?? .max
      if bytes.count <= most {
        try output.write(bytes)
        return (pixels.size, metadata)
      }
      // Without lossy compression, only fewer pixels make the file smaller.
      let scale = min(0.9, (Double(most) / Double(bytes.count)).squareRoot())
      let side = Int(Double(max(pixels.width, pixels.height)) * scale)
      guard side >= JPEGFitter.leastSide else {
        throw AssetError(name, "can't be made as small as \(Wording.count(most, "byte"))")
      }
      pixels = pixels.resampled(
        to: picture.size.scaled(toward: PixelSize(width: side, height: side), .aspectFit))
    }
  }
}

extension JPEGEncoder.Subsampling {
  /// Full chroma resolution at high quality, as other encoders do.
  fileprivate static func standard(_ quality: Int) -> JPEGEncoder.Subsampling {
    quality >= 90 ? .none : .quarter
  }
}

extension RepresentationOptions.Stripping {
  var policy: MetadataPolicy.Stripping {
    switch self {
    case .nothing: .nothing
    case .location: .location
    case .all: .all
    }
  }
}

extension PixelBuffer {
  /// The picture composited on white.
  var onWhite: PixelBuffer {
    var result = self
    result.withBytes { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = Int(bytes[at + 3])
        if alpha == 255 { continue }
        for channel in at..<at + 3 {
          bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
        }
        bytes[at + 3] = 255
      }
    }
    return result
  }
}

/// Finds a quality and size with which a JPEG has at most `byteCount` bytes.
///
/// Lowers the quality first, then the size.
///
/// Pure except for the encoder, which is a parameter.
struct JPEGFitter {
  /// The maximum size in bytes.
  var byteCount: Int
  /// The quality to start with.
  var quality: Int
  /// Below this quality, artifacts look worse than fewer pixels.
  static let leastQuality = 70
  /// Pictures are not reduced below this many pixels on the longer side.
  static let leastSide = 16

  /// The result of a search.
  struct Fit {
    var bytes: [UInt8]
    var size: PixelSize
    var quality: Int
  }

  /// Returns the largest and best encoding that fits; nil if none does, or if `encode` returns nil.
  /// - Parameter encode: encodes the picture with a size and a quality.
  func fit(_ size: PixelSize, encode: (PixelSize, Int) -> [UInt8]?) -> Fit? {
    guard let best = encode(size, quality) else { return nil }
    if best.count <= byteCount { return Fit(bytes: best, size: size, quality: quality) }
    let least = min(quality, Self.leastQuality)
    guard var coarse = encode(size, least) else { return nil }
    if coarse.count <= byteCount {
      return refined(Fit(bytes: coarse, size: size, quality: least), encode: encode)
    }
    var current = size
    while max(current.width, current.height) > Self.leastSide {
      // The file size is roughly proportional to the number of pixels, and shrinks a little more slowly.
      let scale = min(0.95, (Double(byteCount) / Double(coarse.count)).squareRoot())
      let side = max(Self.leastSide, Int(Double(max(current.width, current.height)) * scale))
      let next = size.scaled(toward: PixelSize(width: side, height: side), .aspectFit)
      guard next != current, let smaller = encode(next, least) else { return nil }
      (current, coarse) = (next, smaller)
      if coarse.count <= byteCount {
        return refined(Fit(bytes: coarse, size: current, quality: least), encode: encode)
      }
    }
    return nil
  }

  /// Finds the highest quality with which this size fits.
  private func refined(_ fit: Fit, encode: (PixelSize, Int) -> [UInt8]?) -> Fit {
    var best = fit
    var (low, high) = (fit.quality, quality)
    while high - low > 2 {
      let middle = (low + high) / 2
      guard let bytes = encode(fit.size, middle) else { break }
      if bytes.count <= byteCount {
        low = middle
        best = Fit(bytes: bytes, size: fit.size, quality: middle)
      } else {
        high = middle
      }
    }
    return best
  }
}

/// Writes to the output file of a conversion.
struct OutputFile {
  private let descriptor: Int32
  /// The name of the converted file, for errors.
  private let subject: String

  init(_ descriptor: Int32, for subject: String) {
    self.descriptor = descriptor
    self.subject = subject
  }

  func write(_ bytes: some Collection<UInt8>) throws(AssetError) {
    var failure: AssetError?
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { storage in
      failure = write(UnsafeRawBufferPointer(storage))
    }
    if isContiguous == nil { failure = Array(bytes).withUnsafeBytes { write($0) } }
    if let failure { throw failure }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> AssetError? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = Errno(rawValue: errno)
        return .writing(subject, "not copied: \(error)", error)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }

  /// Checks that the file can grow, after a program that writes it has failed or complained.
  ///
  /// The program's exit status does not tell a full disk from a damaged video; FFmpeg may even succeed without having
  /// written the end. The content stays.
  func checkGrows() throws(AssetError) {
    let length = lseek(descriptor, 0, SEEK_END)
    defer { ftruncate(descriptor, max(0, length)) }
    // More than FFmpeg writes at once, so that what it could not write does not fit either.
    try write([UInt8](repeating: 0, count: 1 << 18))
  }

  /// Whether `checkGrows` succeeds.
  var canGrow: Bool {
    do throws(AssetError) { try checkGrows() } catch { return false }
    return true
  }
}
