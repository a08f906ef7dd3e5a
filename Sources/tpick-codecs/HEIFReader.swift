import CHEIF
import CodecProtocol

/// The facts of a HEIC or AVIF file, by libheif; what libheif does not tell, by the boxes themselves.
enum HEIFReader {
  /// libheif's name for a depth map, whatever codec it is stored with (ISO/IEC 23008-12).
  private static let depth = "urn:mpeg:hevc:2015:auxid:2"

  /// Images and blocks that are looked at; no honest file has as many.
  private static let most = 64

  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    guard let context = heif_context_alloc() else { throw .unreadable("out of memory") }
    defer { heif_context_free(context) }
    // libheif keeps a pointer to the callbacks until the context is freed.
    let reader = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)
    defer { reader.deallocate() }
    reader.initialize(to: callbacks)
    return try withExtendedLifetime(file) { () throws(CodecError) in
      let pointer = Unmanaged.passUnretained(file).toOpaque()
      try check(heif_context_read_from_reader(context, reader, pointer, nil))
      var primary: OpaquePointer?
      try check(heif_context_get_primary_image_handle(context, &primary))
      guard let primary else { throw .unreadable("a file without a picture") }
      defer { heif_image_handle_release(primary) }
      var facts = CodecFacts()
      facts.width = Int(heif_image_handle_get_width(primary))
      facts.height = Int(heif_image_handle_get_height(primary))
      guard facts.width > 0, facts.height > 0 else { throw .unreadable("a picture without a size") }
      facts.imageCount = Int(heif_context_get_number_of_top_level_images(context))
      facts.auxiliaryTypes = auxiliaryTypes(of: primary)
      fillMetadata(of: primary, into: &facts)
      HEIFBoxes(file).fill(&facts)
      return facts
    }
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
  /// pictures too, of which nothing is needed here.
  ///
  /// Metadata items are told by how they begin: XMP as a text, EXIF with a TIFF header among its first bytes.
  private static func isWanted(_ file: InputFile, _ count: Int) -> Bool {
    guard count > 512 else { return true }
    let head = file.bytes(at: file.position, count: 64)
    let isText = head.starts(with: [0xEF, 0xBB, 0xBF]) || head.first { !" \t\r\n".utf8.contains($0) } == 0x3C
    return isText
      || [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains { head.firstRange(of: $0) != nil }
  }

  private static func check(_ error: heif_error) throws(CodecError) {
    guard error.code != heif_error_Ok else { return }
    throw .unreadable(error.message.map { String(cString: $0) } ?? "a damaged file")
  }

  private static func auxiliaryTypes(of image: OpaquePointer) -> [String] {
    var types: Set<String> = heif_image_handle_has_depth_image(image) != 0 ? [depth] : []
    let count = min(most, Int(heif_image_handle_get_number_of_auxiliary_images(image, 0)))
    var items = [heif_item_id](repeating: 0, count: max(0, count))
    let listed = heif_image_handle_get_list_of_auxiliary_image_IDs(image, 0, &items, Int32(items.count))
    for item in items.prefix(Int(max(0, listed))) {
      var handle: OpaquePointer?
      guard heif_image_handle_get_auxiliary_image_handle(image, item, &handle).code == heif_error_Ok,
        let handle
      else { continue }
      defer { heif_image_handle_release(handle) }
      var type: UnsafePointer<CChar>?
      guard heif_image_handle_get_auxiliary_type(handle, &type).code == heif_error_Ok, let found = type
      else { continue }
      types.insert(String(cString: found))
      heif_image_handle_free_auxiliary_types(handle, &type)
    }
    return types.sorted()
  }

  private static func fillMetadata(of image: OpaquePointer, into facts: inout CodecFacts) {
    let count = min(most, Int(heif_image_handle_get_number_of_metadata_blocks(image, nil)))
    var items = [heif_item_id](repeating: 0, count: max(0, count))
    let listed = heif_image_handle_get_list_of_metadata_block_IDs(image, nil, &items, Int32(items.count))
    for item in items.prefix(Int(max(0, listed))) {
      switch heif_image_handle_get_metadata_type(image, item).map({ String(cString: $0) }) {
      case "Exif" where facts.exif.isEmpty: facts.exif = tiff(in: block(item, of: image))
      case "mime" where facts.xmp.isEmpty:
        let type = heif_image_handle_get_metadata_content_type(image, item).map { String(cString: $0) }
        if type == "application/rdf+xml" { facts.xmp = block(item, of: image) }
      default: break
      }
    }
  }

  private static func block(_ item: heif_item_id, of image: OpaquePointer) -> [UInt8] {
    let count = heif_image_handle_get_metadata_size(image, item)
    guard count > 0, count <= Limits.metadataBlock else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    return heif_image_handle_get_metadata(image, item, &bytes).code == heif_error_Ok ? bytes : []
  }

  /// The EXIF block without what stands before its TIFF header: the header's offset, 32 bits, counted from
  /// behind it (ISO/IEC 23008-12 A.2.1).
  private static func tiff(in block: [UInt8]) -> [UInt8] {
    guard block.count > 12 else { return [] }
    let offset = 4 + block[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard offset < block.count else { return [] }
    return Array(block[offset...])
  }
}

extension InputFile {
  /// The file that a library hands back to a callback.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> InputFile? {
    pointer.map { Unmanaged<InputFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
