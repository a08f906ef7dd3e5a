package import AssetLibrary
package import CodecProtocol
import MediaFormats
package import Pixels
package import Rendering

/// Has pictures made of resources: in the helper for light formats, in the foreign decoder for all others.
///
/// Nothing of a file is parsed in this process. Calls may come from any thread, and wait for the picture.
package struct PictureRenderer: Sendable {
  let reader: ReaderClient
  let foreign: (any ForeignDecoder)?
  /// What a picture may cost.
  package var budget = DecodeBudget()
  /// How soon the pictures are needed.
  package var urgency = ReaderClient.Urgency.visible

  /// - Parameter foreign: asked for the formats that the helper does not know; nil = they can't be drawn.
  package init(_ reader: ReaderClient = .standard, foreign: (any ForeignDecoder)? = nil) {
    self.reader = reader
    self.foreign = foreign
  }

  /// The upright picture in sRGB, in the shape asked for; nil when it was cancelled on the way.
  /// - Parameter side: also makes a thumbnail of this longest side, where the picture is no smaller.
  /// - Throws: `AssetError` that names the file and the cause.
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

  /// The embedded thumbnail at no more than the size asked for; nil where there is none that can be used.
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
    // A thumbnail that can't be read or decoded is no error: the picture itself comes anyway.
    return (try? render(request, file, range, cancellation))?.pixels
  }

  /// The most bytes that an embedded thumbnail may have.
  private static let longestThumbnail = 32 << 20

  /// - Parameter range: the part of the file that counts.
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

// Formats that the helper does not know.
extension PictureRenderer {
  /// A raw file's picture, developed from its sensor's data.
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
      throw AssetError(resource.displayName, "its content is no \(format?.word ?? "picture")")
    }
    guard let foreign else {
      let word = format?.word ?? resource.path.extension?.uppercased() ?? "this format"
      throw AssetError(resource.displayName, "\(word) can't be drawn yet", isTransient: true)
    }
    let keptBox = side.map { PixelSize(width: $0, height: $0) }
    // Native where the size is not known: it can't be told how much of it is enough.
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
    // It stands upright already: the orientation is not applied a second time.
    let image = ReducedPicture(picture.pixels, of: picture.sourceSize)
    let kept = keptBox.map { ReducedPicture(image.shown(at: $0, .aspectFit), of: source) }
    // The next time the thumbnail is all that is read: both times the pixels are the same.
    let shown = if let kept, kept.isEnough(for: shape) { kept } else { image }
    return Rendering(
      pixels: shown.shown(as: shape), thumbnail: kept?.pixels, decodedPixels: picture.pixels.size.area,
      note: picture.note)
  }
}

extension FileFormat {
  /// What the format is called in messages; nil where there is no word for it.
  fileprivate var word: String? {
    if isVideo { return nil }
    return isRaw ? "a raw file" : name
  }
}

extension AssetError {
  /// Why a helper gave no picture, for messages.
  /// - Parameter name: what the file is called.
  init(_ name: String, _ error: CodecError) {
    self.init(name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
  }
}

extension PictureRenderer {
  /// The frames of an animation, which the helper decodes one after the other.
  /// - Throws: `AssetError` when it can't be opened.
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

/// A resource in memory, as a file that stays open as long as it is played.
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

  /// Whoever plays it reads by the descriptor.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int { 0 }
}

// Pictures that become files again.
extension PictureRenderer {
  /// The upright picture in sRGB, decoded from the file itself.
  /// - Parameter box: what it is to fit in; nil = its native size. It is never enlarged.
  /// - Returns: the pixels, and what is missing from them; nil when it was cancelled.
  package func converted(
    _ resource: AssetResource, from reader: any ResourceReader, toFit box: PixelSize?,
    cancellation: Cancellation
  ) throws(AssetError) -> (pixels: PixelBuffer, note: String?)? {
    let shape = PictureShape(fitting: box)
    var rendering = try picture(shape, of: resource, from: reader, cancellation: cancellation)
    // The preview of a raw file may be no more than a thumbnail.
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
  /// The whole picture, fitted exactly into a box; nil = in its native size.
  fileprivate init(fitting box: PixelSize?) {
    self = .native
    guard let box else { return }
    (targetSize, contentMode, resizeMode) = (box, .aspectFit, .exact)
  }
}

extension RenderingRequest {
  /// A request for the picture in a file.
  /// - Parameter budget: what it may cost.
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
