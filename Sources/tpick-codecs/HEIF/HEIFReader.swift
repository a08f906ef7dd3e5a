import CHEIF
import CodecProtocol

/// The facts of a HEIC or AVIF file, by libheif; what libheif does not tell, by the boxes themselves.
enum HEIFReader {
  /// libheif's name for a depth map, whatever codec it is stored with (ISO/IEC 23008-12).
  private static let depth = "urn:mpeg:hevc:2015:auxid:2"

  /// Images and blocks that are looked at; no honest file has as many.
  private static let most = 64

  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    let opened = try HEIFFile(file)
    return try withExtendedLifetime(opened) { () throws(CodecError) in
      let primary = opened.primary
      var facts = CodecFacts()
      facts.width = opened.width
      facts.height = opened.height
      guard facts.width > 0, facts.height > 0 else { throw .unreadable("a picture without a size") }
      facts.imageCount = Int(heif_context_get_number_of_top_level_images(opened.context))
      facts.auxiliaryTypes = auxiliaryTypes(of: primary)
      fillMetadata(of: primary, into: &facts)
      HEIFBoxes(file).fill(&facts)
      return facts
    }
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
