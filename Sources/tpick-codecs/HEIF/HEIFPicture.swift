import CHEIF
import CodecProtocol

/// A picture in a HEIC or AVIF file, not decoded yet; owns libheif's handle.
///
/// Used by one thread; keeps the file open.
final class HEIFPicture {
  /// The coding according to the container, by the code points of ITU-T H.273 (ISO/IEC 14496-12, 12.1.5).
  struct Coding {
    var primaries: Int32
    var transfer: Int32
    var matrix: Int32
    var isFullRange: Bool
  }

  /// libheif's URN of a depth map, whatever codec it is stored with (ISO/IEC 23008-12).
  private static let depth = "urn:mpeg:hevc:2015:auxid:2"

  /// Upper bound of the auxiliary images and metadata blocks that are examined; no valid file has as many.
  private static let most = 64
  /// Upper bound of the thumbnails that are examined.
  private static let mostThumbnails = 16

  private let handle: OpaquePointer
  private let item: heif_item_id
  /// Kept alive for the handle.
  private let file: HEIFFile
  /// Transformations to apply after decoding; nil if libheif applies them.
  ///
  /// Lazy, because libheif determines the bit depth by recursion into the picture's parts, endlessly if pictures
  /// contain each other (`HEIFReferences`).
  private(set) lazy var transformations: HEIFTransformations? = {
    // libheif mirrors pictures of 8 bits only.
    if heif_image_handle_get_luma_bits_per_pixel(handle) == 8 { return nil }
    let transformations = file.transformations(of: item)
    return transformations.mirrors ? transformations : nil
  }()

  /// - Parameters:
  ///   - handle: owned by the object from now on.
  ///   - item: the picture's number in the file.
  init(owning handle: OpaquePointer, of item: heif_item_id, in file: HEIFFile) {
    self.handle = handle
    self.item = item
    self.file = file
  }

  deinit {
    heif_image_handle_release(handle)
  }

  /// Size in pixels of the upright picture.
  var width: Int { Int(heif_image_handle_get_width(handle)) }
  var height: Int { Int(heif_image_handle_get_height(handle)) }

  var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }
  var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

  /// The thumbnails with the picture's aspect ratio, smallest first.
  var thumbnails: [HEIFPicture] {
    let count = min(Self.mostThumbnails, Int(heif_image_handle_get_number_of_thumbnails(handle)))
    var items = [heif_item_id](repeating: 0, count: max(0, count))
    let listed = heif_image_handle_get_list_of_thumbnail_IDs(handle, &items, Int32(items.count))
    var found: [HEIFPicture] = []
    for item in items.prefix(Int(max(0, listed))) {
      var thumbnail: OpaquePointer?
      guard heif_image_handle_get_thumbnail(handle, item, &thumbnail).code == heif_error_Ok, let thumbnail
      else { continue }
      found.append(HEIFPicture(owning: thumbnail, of: item, in: file))
    }
    let (width, height) = (width, height)
    return found.filter { AspectRatio.match($0.width, $0.height, width, height) }
      .sorted { $0.width < $1.width }
  }

  // MARK: Pixels

  /// Decodes the picture, applying its transformations unless that is left to the caller.
  func decode(_ layout: heif_chroma) throws(CodecError) -> HEIFImage {
    guard let options = heif_decoding_options_alloc() else { throw .noMemory }
    defer { heif_decoding_options_free(options) }
    options.pointee.convert_hdr_to_8bit = 1
    options.pointee.ignore_transformations = transformations == nil ? 0 : 1
    var image: OpaquePointer?
    if let failure = CodecError(heif_decode_image(handle, &image, heif_colorspace_RGB, layout, options)) {
      throw failure
    }
    guard let image else { throw .unreadable("a damaged picture") }
    return HEIFImage(owning: image)
  }

  /// The coding according to the container; nil if there is none.
  var coding: Coding? {
    var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok, let nclx else {
      return nil
    }
    defer { heif_nclx_color_profile_free(nclx) }
    return Coding(
      primaries: Int32(nclx.pointee.color_primaries.rawValue),
      transfer: Int32(nclx.pointee.transfer_characteristics.rawValue),
      matrix: Int32(nclx.pointee.matrix_coefficients.rawValue),
      isFullRange: nclx.pointee.full_range_flag != 0)
  }

  /// Sets the canvas's color space: the ICC profile, or the coding's primaries and transfer function.
  func setColors(of canvas: Canvas) {
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    if count > 0 {
      var profile = [UInt8](repeating: 0, count: count)
      guard heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok else { return }
      profile.withUnsafeBytes { canvas.setProfile($0) }
    } else if let coding {
      canvas.setCoding(primaries: coding.primaries, transfer: coding.transfer)
    }
  }

  // MARK: Metadata

  /// The types of the auxiliary images, as URNs.
  var auxiliaryTypes: [String] {
    var types: Set<String> = heif_image_handle_has_depth_image(handle) != 0 ? [Self.depth] : []
    let count = min(Self.most, Int(heif_image_handle_get_number_of_auxiliary_images(handle, 0)))
    var items = [heif_item_id](repeating: 0, count: max(0, count))
    let listed = heif_image_handle_get_list_of_auxiliary_image_IDs(handle, 0, &items, Int32(items.count))
    for item in items.prefix(Int(max(0, listed))) {
      var auxiliary: OpaquePointer?
      guard heif_image_handle_get_auxiliary_image_handle(handle, item, &auxiliary).code == heif_error_Ok,
        let auxiliary
      else { continue }
      defer { heif_image_handle_release(auxiliary) }
      var type: UnsafePointer<CChar>?
      guard heif_image_handle_get_auxiliary_type(auxiliary, &type).code == heif_error_Ok, let found = type
      else { continue }
      types.insert(String(cString: found))
      heif_image_handle_free_auxiliary_types(auxiliary, &type)
    }
    return types.sorted()
  }

  /// The EXIF block from its TIFF header on and the XMP packet, each empty if there is none.
  var metadata: (exif: [UInt8], xmp: [UInt8]) {
    var (exif, xmp): ([UInt8], [UInt8]) = ([], [])
    let count = min(Self.most, Int(heif_image_handle_get_number_of_metadata_blocks(handle, nil)))
    var items = [heif_item_id](repeating: 0, count: max(0, count))
    let listed = heif_image_handle_get_list_of_metadata_block_IDs(handle, nil, &items, Int32(items.count))
    for item in items.prefix(Int(max(0, listed))) {
      switch heif_image_handle_get_metadata_type(handle, item).map({ String(cString: $0) }) {
      case "Exif" where exif.isEmpty: exif = Self.tiff(in: block(item))
      case "mime" where xmp.isEmpty:
        let type = heif_image_handle_get_metadata_content_type(handle, item).map { String(cString: $0) }
        if type == "application/rdf+xml" { xmp = block(item) }
      default: break
      }
    }
    return (exif, xmp)
  }

  private func block(_ item: heif_item_id) -> [UInt8] {
    let count = heif_image_handle_get_metadata_size(handle, item)
    guard count > 0, count <= Limits.metadataBlock else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    return heif_image_handle_get_metadata(handle, item, &bytes).code == heif_error_Ok ? bytes : []
  }

  /// Returns the EXIF block from its TIFF header on; a 32-bit field before it holds the header's offset, relative
  /// to the end of that field (ISO/IEC 23008-12 A.2.1).
  private static func tiff(in block: [UInt8]) -> [UInt8] {
    guard block.count > 12 else { return [] }
    let offset = 4 + block[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard offset < block.count else { return [] }
    return Array(block[offset...])
  }
}

extension HEIFFile {
  /// Returns the primary picture of the file.
  func primary() throws(CodecError) -> HEIFPicture {
    var primary: OpaquePointer?
    var item: heif_item_id = 0
    try Self.check(heif_context_get_primary_image_ID(context, &item))
    try Self.check(heif_context_get_primary_image_handle(context, &primary))
    guard let primary else { throw .unreadable("a file without a picture") }
    return HEIFPicture(owning: primary, of: item, in: self)
  }
}

/// A picture that libheif decoded; owns its pixels.
final class HEIFImage {
  /// Samples of one channel, or of all channels interleaved; valid as long as the image.
  struct Plane {
    var bytes: UnsafePointer<UInt8>
    var width: Int
    var height: Int
    /// Bytes from one row to the next.
    var stride: Int
    var bits: Int
  }

  private let image: OpaquePointer

  /// - Parameter image: owned by the object from now on.
  init(owning image: OpaquePointer) {
    self.image = image
  }

  deinit {
    heif_image_release(image)
  }

  /// Calls `body` with the planes of those channels that exist.
  func withPlanes<Result>(
    _ channels: [heif_channel], _ body: ([Plane]) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try withExtendedLifetime(self) { () throws(CodecError) in try body(channels.compactMap { plane($0) }) }
  }

  private func plane(_ channel: heif_channel) -> Plane? {
    var stride: Int32 = 0
    let width = Int(heif_image_get_width(image, channel))
    let height = Int(heif_image_get_height(image, channel))
    guard width > 0, height > 0, let bytes = heif_image_get_plane_readonly(image, channel, &stride),
      Int(stride) >= width
    else { return nil }
    let bits = Int(heif_image_get_bits_per_pixel_range(image, channel))
    return Plane(bytes: bytes, width: width, height: height, stride: Int(stride), bits: bits)
  }
}
