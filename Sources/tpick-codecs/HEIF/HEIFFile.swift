import CHEIF
import CodecProtocol

/// An open HEIC or AVIF file, and its primary picture.
final class HEIFFile {
  /// The primary picture; libheif's, as long as this object lives.
  let primary: OpaquePointer
  let context: OpaquePointer
  /// libheif keeps a pointer to the callbacks until the context is freed.
  private let reader: UnsafeMutablePointer<heif_reader>
  private let file: InputFile

  init(_ file: InputFile) throws(CodecError) {
    guard let context = heif_context_alloc() else { throw .unreadable("out of memory") }
    self.file = file
    reader = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)
    reader.initialize(to: Self.callbacks)
    do throws(CodecError) {
      let pointer = Unmanaged.passUnretained(file).toOpaque()
      try Self.check(heif_context_read_from_reader(context, reader, pointer, nil))
      var primary: OpaquePointer?
      try Self.check(heif_context_get_primary_image_handle(context, &primary))
      guard let primary else { throw .unreadable("a file without a picture") }
      self.primary = primary
      self.context = context
    } catch {
      heif_context_free(context)
      reader.deallocate()
      throw error
    }
  }

  deinit {
    heif_image_handle_release(primary)
    heif_context_free(context)
    reader.deallocate()
  }

  /// Pixels of the primary picture, which libheif turns upright.
  var width: Int { Int(heif_image_handle_get_width(primary)) }
  var height: Int { Int(heif_image_handle_get_height(primary)) }

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
      return file.read(at: file.position, into: room) == count ? 0 : 1
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
  /// Metadata items are told by how they begin: XMP as a text, EXIF with a TIFF header among its first bytes.
  private static func isWanted(_ file: InputFile, _ count: Int) -> Bool {
    guard !file.wantsPictures, count > 512 else { return true }
    let head = file.bytes(at: file.position, count: 64)
    let isText = head.starts(with: [0xEF, 0xBB, 0xBF]) || head.first { !" \t\r\n".utf8.contains($0) } == 0x3C
    return isText
      || [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains { head.firstRange(of: $0) != nil }
  }

  static func check(_ error: heif_error) throws(CodecError) {
    guard error.code != heif_error_Ok else { return }
    let words = error.message.map { String(cString: $0) } ?? ""
    let reason = String(words.prefix { $0 != "\n" })
    if error.subcode == heif_suberror_Security_limit_exceeded { throw .tooLarge(reason) }
    throw .unreadable(reason.isEmpty ? "a damaged file" : reason)
  }
}

extension InputFile {
  /// The file that a library hands back to a callback.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> InputFile? {
    pointer.map { Unmanaged<InputFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
