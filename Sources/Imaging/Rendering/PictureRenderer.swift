package import AssetLibrary
package import CodecProtocol
import MediaFormats
package import Pixels
package import Rendering

/// Makes images of resources: the reader helper decodes light formats, the foreign decoder all others.
///
/// This process parses no part of a file. Methods may be called from any thread, and block until the image is
/// finished.
package struct PictureRenderer: Sendable {
  let reader: ReaderClient
  let foreign: (any ForeignDecoder)?
  /// The resource limits for one image.
  package var budget = DecodeBudget()
  /// How soon the images are needed.
  package var urgency = ReaderClient.Urgency.visible

  /// - Parameter foreign: decodes formats that the reader helper does not support; nil = they can't be shown.
  package init(_ reader: ReaderClient = .standard, foreign: (any ForeignDecoder)? = nil) {
    self.reader = reader
    self.foreign = foreign
  }

  /// Returns the image, upright and in sRGB, in the requested shape; nil if it was cancelled.
  /// - Parameter side: the longest side of a thumbnail to make in addition, if the image is larger.
  /// - Throws: `AssetError` with the file and the cause.
  func picture(
    _ shape: PictureShape, of resource: AssetResource, from file: any ResourceReader,
    keeping side: Int? = nil, cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    var request = RenderingRequest(shape, orientation: resource.orientation, budget)
    request.keptSide = side ?? 0
    do throws(CodecError) {
      return try render(request, file, 0..<file.count, cancellation)
    } catch {
      if error == .unknownFormat {
        return try foreignPicture(shape, of: resource, from: file, side, cancellation)
      }
      throw AssetError(resource.displayName, error)
    }
  }

  /// Returns the embedded thumbnail, at most in the requested size; nil if there is no usable one.
  func thumbnail(
    _ shape: PictureShape, of resource: AssetResource, from file: any ResourceReader,
    cancellation: Cancellation
  ) -> PixelBuffer? {
    guard let range = resource.thumbnail, !resource.storedSize.isEmpty,
      range.count <= Self.longestThumbnail, range.lowerBound < file.count
    else { return nil }
    var request = RenderingRequest(shape, orientation: resource.orientation, budget)
    request.source = .embeddedThumbnail
    (request.storedWidth, request.storedHeight) = (resource.storedSize.width, resource.storedSize.height)
    // An unreadable thumbnail is not an error, because the image itself follows.
    return (try? render(request, file, range, cancellation))?.pixels
  }

  /// The maximum size of an embedded thumbnail in bytes.
  private static let longestThumbnail = 32 << 20

  /// - Parameter range: the relevant part of the file.
  private func render(
    _ request: RenderingRequest, _ file: any ResourceReader, _ range: Range<Int>, _ cancellation: Cancellation
  ) throws(CodecError) -> Rendering? {
    if cancellation.isCancelled { return nil }
    var request = request
    if let descriptor = file.descriptor {
      request.range = range
      return try reader.rendering(of: descriptor, request, urgency) { cancellation.isCancelled }
    }
    guard range.count <= budget.heldFile else { throw .tooLarge("the file is too large to be shown") }
    guard let copy = try MemoryFile(copying: range, of: file, cancellation) else { return nil }
    return try reader.rendering(of: copy.descriptor, request, urgency) { cancellation.isCancelled }
  }
}

// Formats that the reader helper does not support.
extension PictureRenderer {
  /// Returns the image of a raw file, developed from its sensor data.
  func developed(
    _ shape: PictureShape, of resource: AssetResource, from file: any ResourceReader,
    cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    try foreignPicture(shape, of: resource, from: file, nil, cancellation, develops: true)
  }

  private func foreignPicture(
    _ shape: PictureShape, of resource: AssetResource, from file: any ResourceReader, _ side: Int?,
    _ cancellation: Cancellation, develops: Bool = false
  ) throws(AssetError) -> Rendering? {
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    if format?.decoder == .builtIn {
      throw AssetError(resource.displayName, "its content is no \(format?.word ?? "picture")", code: .damaged)
    }
    guard let foreign else {
      let word = format?.word ?? resource.path.extension?.uppercased() ?? "this format"
      throw AssetError(
        resource.displayName, "\(word) can't be drawn yet", code: .unsupported, isTransient: true)
    }
    let keptBox = side.map { PixelSize(width: $0, height: $0) }
    // If the size is unknown, the sufficient reduction can't be determined: decode the native size.
    let source = resource.orientation.upright(resource.storedSize)
    let isNative = shape.resizeMode == .none || source.isEmpty && shape.crop != .whole
    let target = source.isEmpty ? shape.targetSize : shape.needed(of: source, keeping: keptBox)
    var request = ForeignRequest(
      name: resource.displayName, uniformTypeIdentifier: resource.uniformTypeIdentifier,
      targetSize: isNative ? .zero : target, contentMode: source.isEmpty ? shape.contentMode : .aspectFill,
      pixelLimit: budget.decodedPixels, sideLimit: budget.side)
    request.develops = develops
    let picture = try foreign.picture(of: file, request: request) { cancellation.isCancelled }
    guard let picture, !cancellation.isCancelled else { return nil }
    // The image is already upright: don't apply the orientation again.
    let image = ReducedPicture(picture.pixels, of: picture.sourceSize)
    let kept = keptBox.map { ReducedPicture(image.shown(at: $0, .aspectFit), of: source) }
    // The next request uses the thumbnail alone: use it now too, so that both results have the same pixels.
    let shown = if let kept, kept.isEnough(for: shape) { kept } else { image }
    return Rendering(
      pixels: shown.shown(as: shape), thumbnail: kept?.pixels, decodedPixels: picture.pixels.size.area,
      note: picture.note)
  }
}

extension FileFormat {
  /// The name of the format in messages; nil for videos.
  fileprivate var word: String? {
    if isVideo { return nil }
    return isRaw ? "a raw file" : name
  }
}

extension AssetError {
  /// Creates the message for a helper's error.
  /// - Parameter name: the name of the file.
  init(_ name: String, _ error: CodecError) {
    self.init(
      name, error.reason, code: Self.code(of: error), isTransient: error.isTransient, isStall: error.isStall)
  }

  private static func code(of error: CodecError) -> Code {
    switch error {
    case .missing, .unconfined: .helperMissing
    case .unreadable, .nothingEmbedded, .incomplete, .died: .damaged
    case .tooLarge, .unknownFormat: .unsupported
    case .cancelled: .cancelled
    case .noMemory, .exhausted, .noDescriptors, .readError, .late, .hung: .failed
    }
  }
}

extension PictureRenderer {
  /// Opens an animation for playback; the helper decodes one frame after the other.
  /// - Throws: `AssetError` if it can't be opened.
  func frames(
    of resource: AssetResource, from file: any ResourceReader, toFit box: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let request = FramesRequest(
      targetWidth: min(box.width, HelperDecoder.largestSide),
      targetHeight: min(box.height, HelperDecoder.largestSide), range: 0..<file.count,
      orientation: resource.orientation.rawValue)
    if let descriptor = file.descriptor {
      return HelperFrameReader(
        reader.frames(of: descriptor, request), of: file, name: resource.displayName, target: box,
        cancellation: cancellation)
    }
    let copy: FileCopy
    do throws(CodecError) {
      guard file.count <= AnimationBudget.heldBytes else {
        throw .tooLarge("the file is too large to be shown")
      }
      guard let made = try FileCopy(of: file, cancellation) else { throw .cancelled }
      copy = made
    } catch {
      throw AssetError(resource.displayName, error)
    }
    return HelperFrameReader(
      reader.frames(of: copy.file.descriptor, request), of: copy, name: resource.displayName, target: box,
      cancellation: cancellation)
  }
}

/// A copy of a resource in memory, as a file that stays open during playback.
private final class FileCopy: ResourceReader {
  let file: MemoryFile
  let count: Int

  init?(of resource: any ResourceReader, _ cancellation: Cancellation) throws(CodecError) {
    guard let file = try MemoryFile(copying: 0..<resource.count, of: resource, cancellation) else {
      return nil
    }
    self.file = file
    count = resource.count
  }

  var descriptor: Int32? { file.descriptor }

  /// Not used: the helper reads from the descriptor.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int { 0 }
}

// Images for conversion to files.
extension PictureRenderer {
  /// Decodes the image from the file itself, upright and in sRGB.
  /// - Parameter box: the box that the image must fit into; nil = its native size. It is never enlarged.
  /// - Returns: the pixels, and a description of what is missing from them; nil if it was cancelled.
  package func converted(
    _ resource: AssetResource, from reader: any ResourceReader, toFit box: PixelSize?,
    cancellation: Cancellation
  ) throws(AssetError) -> (pixels: PixelBuffer, note: String?)? {
    let shape = PictureShape(fitting: box)
    var rendering = try picture(shape, of: resource, from: reader, cancellation: cancellation)
    // The preview of a raw file may be only a thumbnail.
    let isRaw = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)?.isRaw ?? false
    let source = resource.orientation.upright(resource.storedSize)
    if isRaw, let found = rendering, !source.isEmpty {
      let wanted = shape.needed(of: source)
      if found.pixels.size.area < wanted.area / 5 * 4 {
        do throws(AssetError) {
          rendering = try developed(shape, of: resource, from: reader, cancellation: cancellation)
        } catch {
          rendering?.note = "its preview, because \(error.reason)"
        }
      }
    }
    return rendering.map { ($0.pixels, $0.note) }
  }
}

extension PictureShape {
  /// Creates the shape of the whole image, fitted exactly into a box; nil = in its native size.
  fileprivate init(fitting box: PixelSize?) {
    self = .native
    guard let box else { return }
    (targetSize, contentMode, resizeMode) = (box, .aspectFit, .exact)
  }
}

extension RenderingRequest {
  /// Creates a request for the image in a file.
  /// - Parameter budget: the resource limits.
  init(_ shape: PictureShape, orientation: Orientation, _ budget: DecodeBudget) {
    self.init()
    (targetWidth, targetHeight) = (shape.targetSize.width, shape.targetSize.height)
    fills = shape.contentMode == .aspectFill
    resizing =
      switch shape.resizeMode {
      case .none: .none
      case .fast: .fast
      case .exact: .exact
      }
    crop = [shape.crop.x, shape.crop.y, shape.crop.width, shape.crop.height]
    self.orientation = orientation.rawValue
    maxDecodedPixels = budget.decodedPixels
    maxWorkingBytes = budget.workingBytes
  }
}
