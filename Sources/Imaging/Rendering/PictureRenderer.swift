import AssetLibrary
package import CodecProtocol
import MediaFormats
import Pixels
package import Rendering

/// Has pictures made of resources: in the helper for light formats, in the foreign decoder for all others.
///
/// Nothing of a file is parsed in this process. Calls may come from any thread, and wait for the picture.
package struct PictureRenderer: Sendable {
  let reader: ReaderHelper
  let foreign: (any ForeignDecoder)?
  /// What a picture may cost.
  package var budget = DecodeBudget()
  /// How soon the pictures are needed.
  package var urgency = ReaderHelper.Urgency.visible

  /// - Parameter foreign: asked for the formats that the helper does not know; nil = they can't be drawn.
  package init(_ reader: ReaderHelper = .standard, foreign: (any ForeignDecoder)? = nil) {
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
    let rendered: RenderedPicture?
    do throws(CodecError) {
      rendered = try render(request, file, 0..<file.count, cancellation)
    } catch {
      if error == .unknownFormat {
        return try foreignPicture(shape, of: resource, from: file, side, cancellation)
      }
      throw AssetError(resource.displayName, error)
    }
    return rendered.map(Rendering.init)
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
    return (try? render(request, file, range, cancellation)).map { $0.picture.pixels }
  }

  /// The most bytes that an embedded thumbnail may have.
  private static let longestThumbnail = 32 << 20

  /// - Parameter range: the part of the file that counts.
  private func render(
    _ request: RenderingRequest, _ file: any ResourceReader, _ range: Range<Int>, _ cancellation: Cancellation
  ) throws(CodecError) -> RenderedPicture? {
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

extension Rendering {
  fileprivate init(_ picture: RenderedPicture) {
    self.init(
      pixels: picture.picture.pixels, thumbnail: picture.thumbnail?.pixels,
      decodedPixels: picture.decodedPixels, note: picture.picture.note)
  }
}

extension AssetError {
  /// Why a helper gave no picture, for messages.
  /// - Parameter name: what the file is called.
  init(_ name: String, _ error: CodecError) {
    self.init(name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
  }
}
