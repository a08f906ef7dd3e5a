import CHEIF
import CodecProtocol

/// An open HEIC or AVIF file; owns libheif's context and what it reads through.
///
/// Used by one thread. Its pictures keep it.
final class HEIFFile {
  let context: OpaquePointer
  /// libheif keeps a pointer to the callbacks until the context is freed.
  private let reader: UnsafeMutablePointer<heif_reader>
  private let file: InputFile

  init(_ file: InputFile) throws(CodecError) {
    if file.isPartial, let meta = try BoxReader(file: file).requirePicture() {
      let items = HEIFItems(in: meta, file)
      file.codedPlaces = items.codedPlaces
      // Of the coded pictures the small ones alone are of use.
      if file.wantsPictures { try items.requireThumbnails(HEIFReferences(file).thumbnails, file) }
    }
    guard let context = heif_context_alloc() else { throw .noMemory }
    self.context = context
    self.file = file
    reader = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)
    reader.initialize(to: Self.callbacks)
    // From here on `deinit` frees all of it.
    let pointer = Unmanaged.passUnretained(file).toOpaque()
    try Self.check(heif_context_read_from_reader(context, reader, pointer, nil))
  }

  deinit {
    heif_context_free(context)
    reader.deallocate()
  }

  /// How many pictures stand in the file side by side.
  var imageCount: Int { Int(heif_context_get_number_of_top_level_images(context)) }

  /// How a picture is turned, mirrored and cropped.
  func transformations(of item: heif_item_id) -> HEIFTransformations {
    HEIFTransformations(of: item, in: file)
  }

  /// How libheif reads: the file's `position` takes the part of its stream position.
  ///
  /// Fields that later versions of libheif add stay empty: the version says which ones it may look at.
  private static let callbacks: heif_reader = {
    var reader = heif_reader()
    reader.reader_api_version = 1
    reader.get_position = { Int64(InputFile.from($0)?.position ?? 0) }
    reader.read = { buffer, count, pointer in
      guard let file = InputFile.from(pointer), (0...file.byteCount).contains(file.position),
        (0...file.byteCount - file.position).contains(count)
      else { return 1 }
      defer { file.position += count }
      guard let buffer, count > 0, isWanted(file, count) else { return 0 }
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: count)
      if file.read(at: file.position, into: room) == count { return 0 }
      guard file.position != file.optionalPlace, !file.isThere(file.position, count) else { return 1 }
      // libheif asserts that items within the file can be read. Nobody believes what it makes of zeros: the file knows that
      // something is missing.
      room.initializeMemory(as: UInt8.self, repeating: 0)
      return 0
    }
    reader.seek = { position, pointer in
      guard let file = InputFile.from(pointer), position >= 0 else { return 1 }
      file.position = Int(position)
      return 0
    }
    reader.wait_for_file_size = { size, pointer in
      guard let file = InputFile.from(pointer), size <= file.byteCount else {
        return heif_reader_grow_status_size_beyond_eof
      }
      return heif_reader_grow_status_size_reached
    }
    return reader
  }()

  /// Whether what libheif asks for has to be read: it copies every item when it opens a file, the coded
  /// pictures too, of which the facts need nothing.
  ///
  /// Metadata items are told by how they begin: XMP as a text, EXIF with a TIFF header among its first bytes. Where parts of
  /// the file are yet to be fetched, the file's own tables tell them, so that no picture's beginning is fetched.
  private static func isWanted(_ file: InputFile, _ count: Int) -> Bool {
    if file.isPartial { return !file.codedPlaces.contains(file.position) }
    guard !file.wantsPictures else { return true }
    guard count > 512 else { return true }
    let head = file.bytes(at: file.position, count: 64)
    let isText = head.starts(with: [0xEF, 0xBB, 0xBF]) || head.first { !" \t\r\n".utf8.contains($0) } == 0x3C
    return isText
      || [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains { head.firstRange(of: $0) != nil }
  }

  static func check(_ error: heif_error) throws(CodecError) {
    if let failure = CodecError(error) { throw failure }
  }
}

extension CodecError {
  /// What libheif says is wrong; nil where nothing is.
  init?(_ error: heif_error) {
    guard error.code != heif_error_Ok else { return nil }
    let words = error.message.map { String(cString: $0) } ?? ""
    let reason = String(words.prefix { $0 != "\n" })
    if error.subcode == heif_suberror_Security_limit_exceeded {
      self = .tooLarge(reason)
    } else {
      self = .unreadable(reason.isEmpty ? "a damaged file" : reason)
    }
  }
}
