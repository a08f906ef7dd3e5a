package import MediaFormats
import Pixels

/// Reads what a media file's head says, whatever its format.
package enum MediaReader {
  /// What a file turned out to be.
  package enum Reading: Hashable, Sendable {
    /// A medium. The facts are nil where only the codec helper can read them.
    ///
    /// Facts are large: they are passed on by reference.
    indirect case media(FileFormat, MediaFacts?)
    /// It announces a format and does not keep the promise; the reason as words after a colon.
    case damaged(FileFormat, String)
    case nothing
  }

  /// Memory that one reading hands on to the next, so that a scan does not ask for it again with every file.
  ///
  /// One thread's own.
  package struct Room: Sendable {
    fileprivate var bytes: [UInt8] = []

    package init() {}
  }

  /// Looks at a file of `byteCount` bytes.
  /// - Throws: what the source throws.
  package static func read<Source: ByteSource>(
    from source: Source, byteCount: Int
  ) throws(Source.Failure) -> Reading {
    var room = Room()
    return try read(from: source, byteCount: byteCount, room: &room)
  }

  /// Looks at a file of `byteCount` bytes, in memory that is used again.
  ///
  /// Most photographs take one read of 4096 bytes, which end up in `room`.
  /// - Throws: what the source throws.
  package static func read<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout Room
  ) throws(Source.Failure) -> Reading {
    var missing: Range<Int>?
    return try read(from: source, byteCount: byteCount, room: &room, missing: &missing)
  }

  /// Looks at a file of which only parts may be there.
  /// - Parameter missing: the first range that the facts need and that is yet to be fetched, in bytes; the reading is then
  ///   nothing to go by. What is optional is left out without a word: a video behind a picture that claims none, a JPEG's extended XMP packet,
  ///   the second picture of a GIF, what a WebP's header does not announce, and what stands behind the picture of a PNG, JPEG XL
  ///   or JPEG 2000 file whose EXIF has said already when it was taken.
  /// - Throws: what the source throws.
  static func read<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout Room, missing: inout Range<Int>?
  ) throws(Source.Failure) -> Reading {
    // The parsers know no source and throw nothing: a failed read ends the file for them and is thrown here.
    let access = SourceAccess(source)
    var window = ByteWindow(access, byteCount: byteCount, room: room.bytes)
    room.bytes = []
    let reading = read(&window)
    missing = window.missing
    room.bytes = window.room()
    if let failure = access.failure { throw failure }
    return reading
  }

  /// Where the video lies behind the picture of a Motion Photo whose XMP packet came from elsewhere, as a
  /// HEIC's comes from the codec helper; nil unless a video really begins there.
  /// - Parameters:
  ///   - box: where a box lies that is the video's.
  ///   - missing: the first range that is yet to be fetched to tell, in bytes.
  /// - Throws: what the source throws.
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

  /// The blocks of metadata of a file whose format is read here, or that is built as TIFF is, as raw files are.
  /// - Throws: what the source throws.
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
      // Notes in raw files count from the file's first byte, and many tell how to develop it.
      copy.exif?.remove(EXIFTree.makerNote, from: .photo)
    }
    copy.xmp = window.blocks?.xmp ?? []
    copy.extendedXMP = window.blocks?.extendedXMP ?? []
    if window.blocks?.isXMPCut ?? false { copy.losses.insert(.xmp) }
    copy.iptc = window.blocks?.iptc ?? []
    if let failure = access.failure { throw failure }
    return copy
  }

  static func read(_ window: inout ByteWindow) -> Reading {
    guard let format = FileFormat.recognise(&window) else { return .nothing }
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

/// A source, and what went wrong with it first.
private final class SourceAccess<Source: ByteSource> {
  private var source: Source
  private(set) var failure: Source.Failure?

  init(_ source: Source) {
    self.source = source
  }

  func available(at offset: Int, count: Int) -> Int { source.available(at: offset, count: count) }

  /// Reads what there is; nothing any more after a failure.
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
