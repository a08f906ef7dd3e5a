package import MediaFormats
import Pixels

/// Reads the metadata in the header of a media file of any format.
package enum MediaReader {
  /// The result of reading a file.
  package enum Reading: Hashable, Sendable {
    /// A media file. The facts are nil if only the codec helper can read them.
    ///
    /// The case is indirect because the facts are large.
    indirect case media(FileFormat, MediaFacts?)
    /// The file starts like a file of the format but is damaged; the reason is text to follow a colon.
    case damaged(FileFormat, String)
    case nothing
  }

  /// A buffer that is reused for several files, so that a scan does not allocate memory for each.
  ///
  /// Use it from one thread.
  package struct Room: Sendable {
    fileprivate var bytes: [UInt8] = []

    package init() {}
  }

  /// Reads a file of `byteCount` bytes.
  /// - Throws: the errors of the source.
  package static func read<Source: ByteSource>(
    from source: Source, byteCount: Int
  ) throws(Source.Failure) -> Reading {
    var room = Room()
    return try read(from: source, byteCount: byteCount, room: &room)
  }

  /// Reads a file of `byteCount` bytes, reusing a buffer.
  ///
  /// Most photos require a single read of 4096 bytes, which remain in `room`.
  /// - Throws: the errors of the source.
  package static func read<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout Room
  ) throws(Source.Failure) -> Reading {
    var missing: Range<Int>?
    return try read(from: source, byteCount: byteCount, room: &room, missing: &missing)
  }

  /// Reads a file of which only parts may be available.
  /// - Parameter missing: the first byte range that is required and must still be downloaded; the result is
  ///   then not valid. Optional parts are silently skipped: a video after an image that does not claim one, a
  ///   JPEG's extended XMP packet, the second image of a GIF, parts that a WebP's header does not announce,
  ///   and what follows the image of a PNG, JPEG XL or JPEG 2000 file whose EXIF data already contains a
  ///   capture time.
  /// - Throws: the errors of the source.
  static func read<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout Room, missing: inout Range<Int>?
  ) throws(Source.Failure) -> Reading {
    // The parsers don't know the source and throw nothing: a failed read is the end of the file for them, and
    // is thrown here.
    let access = SourceAccess(source)
    var window = ByteWindow(access, byteCount: byteCount, room: room.bytes)
    room.bytes = []
    let reading = read(&window)
    missing = window.missing
    room.bytes = window.room()
    if let failure = access.failure { throw failure }
    return reading
  }

  /// Returns the byte range of the video in a Motion Photo whose XMP packet was read elsewhere, as that of a
  /// HEIC file by the codec helper; nil unless a video starts there.
  /// - Parameters:
  ///   - box: the range of a box that contains the video.
  ///   - missing: the first byte range that must still be downloaded to decide.
  /// - Throws: the errors of the source.
  package static func motionVideo<Source: ByteSource>(
    claimedBy xmp: [UInt8], inBox box: Range<Int>? = nil, from source: Source, byteCount: Int,
    missing: inout Range<Int>?
  ) throws(Source.Failure) -> Range<Int>? {
    var facts: XMPFacts?
    XMPReader.read(xmp, into: &facts)
    let access = SourceAccess(source)
    var window = ByteWindow(access, byteCount: byteCount)
    let video = MotionPhoto.video(facts?.motion, make: facts?.make, inBox: box, in: &window)
    missing = window.missing
    if let failure = access.failure { throw failure }
    return video
  }

  /// Reads the metadata blocks of a file, if its format is read here or is based on TIFF, as raw formats are.
  /// - Throws: the errors of the source.
  package static func metadata<Source: ByteSource>(
    from source: Source, byteCount: Int
  ) throws(Source.Failure) -> MetadataCopy {
    let access = SourceAccess(source)
    var window = ByteWindow(access, byteCount: byteCount)
    window.blocks = ByteWindow.Blocks()
    let reading = read(&window)
    var copy = MetadataCopy()
    if let exif = window.blocks?.exif {
      copy.exif = EXIFTree(exif, in: &window)
    } else if case .media(let format, nil) = reading, format.isRaw {
      copy.exif = EXIFTree(0..<window.end, in: &window)
      // In raw files, offsets in maker notes are from the start of the file, and many notes contain
      // development settings.
      copy.exif?.remove(EXIFTree.makerNote, from: .photo)
    }
    copy.xmp = window.blocks?.xmp ?? []
    copy.extendedXMP = window.blocks?.extendedXMP ?? []
    if window.blocks?.isXMPCut ?? false { copy.losses.insert(.xmp) }
    copy.iptc = window.blocks?.iptc ?? []
    if let failure = access.failure { throw failure }
    return copy
  }

  /// Calls a function with a window over a file.
  /// - Throws: the errors of the source.
  static func withWindow<Source: ByteSource, Result>(
    over source: Source, byteCount: Int, _ body: (ByteWindow) -> Result
  ) throws(Source.Failure) -> Result {
    let access = SourceAccess(source)
    let result = body(ByteWindow(access, byteCount: byteCount))
    if let failure = access.failure { throw failure }
    return result
  }

  static func read(_ window: inout ByteWindow) -> Reading {
    guard let format = FileFormat.recognize(&window) else { return .nothing }
    if format.factsReader == .helper { return .media(format, nil) }
    let facts: MediaFacts? =
      switch format {
      case .jpeg: JPEGReader.read(&window)
      case .png: PNGReader.read(&window)
      case .gif: GIFReader.read(&window)
      case .webp: WebPReader.read(&window)
      case .tiff: TIFFPictureReader.read(&window)
      case .bmp: BMPReader.read(&window)
      case .jpegXL: JPEGXLReader.read(&window)
      case .jpeg2000: JPEG2000Reader.read(&window)
      default: nil
      }
    if let facts { return .media(format, facts) }
    return .damaged(
      format, window.wasCut ? "the file ends before the picture begins" : "its header is damaged")
  }
}

/// A source, and the first error that it threw.
private final class SourceAccess<Source: ByteSource> {
  private var source: Source
  private(set) var failure: Source.Failure?

  init(_ source: Source) {
    self.source = source
  }

  func available(at offset: Int, count: Int) -> Int { source.available(at: offset, count: count) }

  /// Reads bytes; returns none after an error.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard failure == nil else { return 0 }
    do throws(Source.Failure) {
      return try source.read(at: offset, into: buffer)
    } catch {
      failure = error
      return 0
    }
  }
}

extension ByteWindow {
  fileprivate init<Source: ByteSource>(
    _ access: SourceAccess<Source>, byteCount: Int, room: consuming [UInt8] = []
  ) {
    self.init(byteCount: byteCount, room: room, available: { access.available(at: $0, count: $1) }) {
      access.read(at: $0, into: $1)
    }
  }
}
