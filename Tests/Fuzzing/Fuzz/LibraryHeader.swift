import CGIF
import CDecoders
import CCodecs
import CSPNG
import CWebP
import MediaFormats
import Pixels

/// The format's own library as a reference for our readers, which do without it.
struct LibraryHeader {
  /// The stored size in pixels; that of the upright picture if `isUpright`.
  var size: PixelSize
  var isUpright = false
  /// nil if the library is not consulted.
  var isAnimated: Bool?

  /// nil if the library can't open the file, or does not support its format.
  init?(_ bytes: [UInt8], format: FileFormat) {
    let found: LibraryHeader? =
      switch format {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .webp: Self.webp(bytes)
      case .gif: Self.gif(bytes)
      case .tiff: Self.tiff(bytes)
      case .jpegXL: Self.jpegXL(bytes)
      default: nil
      }
    guard let found else { return nil }
    self = found
  }

  private init(_ width: some BinaryInteger, _ height: some BinaryInteger) {
    size = PixelSize(width: Int(width), height: Int(height))
  }

  private static func jpeg(_ bytes: [UInt8]) -> LibraryHeader? {
    guard let decoder = cjpeg_decoder_create() else { return nil }
    defer { cjpeg_decoder_destroy(decoder) }
    var info = cjpeg_info()
    guard cjpeg_read_header(decoder, bytes, bytes.count, &info) == CJPEG_OK else { return nil }
    return LibraryHeader(info.width, info.height)
  }

  private static func png(_ bytes: [UInt8]) -> LibraryHeader? {
    guard let context = spng_ctx_new(0) else { return nil }
    defer { spng_ctx_free(context) }
    var header = spng_ihdr()
    spng_set_crc_action(context, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue))
    guard spng_set_png_buffer(context, bytes, bytes.count) == 0, spng_get_ihdr(context, &header) == 0 else {
      return nil
    }
    return LibraryHeader(header.width, header.height)
  }

  private static func webp(_ bytes: [UInt8]) -> LibraryHeader? {
    var features = WebPBitstreamFeatures()
    let version = Int32(WEBP_DECODER_ABI_VERSION)
    guard WebPGetFeaturesInternal(bytes, bytes.count, &features, version) == VP8_STATUS_OK else { return nil }
    return LibraryHeader(features.width, features.height)
  }

  /// libtiff's first directory.
  private static func tiff(_ bytes: [UInt8]) -> LibraryHeader? {
    bytes.withUnsafeBufferPointer { buffer in
      var file = buffer
      return withUnsafeMutablePointer(to: &file) { file in
        var source = ctiff_source(
          context: file,
          read: { context, offset, target, count in
            guard let file = context?.assumingMemoryBound(to: UnsafeBufferPointer<UInt8>.self).pointee,
              let target,
              offset >= 0, offset < file.count
            else { return 0 }
            let part = UnsafeRawBufferPointer(
              rebasing: UnsafeRawBufferPointer(file)[Int(offset)...].prefix(count))
            UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: part)
            return part.count
          }, size: Int64(bytes.count))
        var reason: UnsafePointer<CChar>?
        guard let opened = ctiff_open(&source, 64 << 20, &reason) else { return nil }
        defer { ctiff_close(opened) }
        var places = [UInt64](repeating: 0, count: Int(CTIFF_DIRECTORIES))
        var picture = ctiff_picture()
        guard ctiff_directories(opened, &places) > 0, ctiff_turn_to(opened, places[0], &picture, &reason)
        else {
          return nil
        }
        return LibraryHeader(picture.width, picture.height)
      }
    }
  }

  private static func jpegXL(_ bytes: [UInt8]) -> LibraryHeader? {
    var info = cjxl_info()
    var reason: UnsafePointer<CChar>?
    guard let file = cjxl_open(bytes, bytes.count, &info, &reason) else { return nil }
    defer { cjxl_close(file) }
    var header = LibraryHeader(info.width, info.height)
    header.isUpright = true
    // Our reader does not look beyond a preview.
    if info.preview_width == 0 { header.isAnimated = info.is_animated }
    return header
  }

  private static func gif(_ bytes: [UInt8]) -> LibraryHeader? {
    bytes.withUnsafeBufferPointer { buffer in
      var rest = buffer
      return withUnsafeMutablePointer(to: &rest) { rest in
        var status: Int32 = 0
        let opened = DGifOpen(
          rest,
          { file, target, count in
            guard let rest = file?.pointee.UserData?.assumingMemoryBound(to: UnsafeBufferPointer<UInt8>.self),
              let target, count > 0
            else { return 0 }
            let part = rest.pointee.prefix(Int(count))
            _ = UnsafeMutableBufferPointer(start: target, count: Int(count)).update(fromContentsOf: part)
            rest.pointee = UnsafeBufferPointer(rebasing: rest.pointee.dropFirst(part.count))
            return Int32(part.count)
          }, &status)
        guard let opened else { return nil }
        defer { DGifCloseFile(opened, &status) }
        var header = LibraryHeader(opened.pointee.SWidth, opened.pointee.SHeight)
        // If the library reaches a second picture there is one; if not, it may only have given up.
        if secondPicture(in: opened) { header.isAnimated = true }
        return header
      }
    }
  }

  private static func secondPicture(in file: UnsafeMutablePointer<GifFileType>) -> Bool {
    var pictures = 0
    var kind = UNDEFINED_RECORD_TYPE
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    while DGifGetRecordType(file, &kind) == GIF_OK {
      switch kind {
      case IMAGE_DESC_RECORD_TYPE:
        pictures += 1
        if pictures > 1 { return true }
        guard DGifGetImageDesc(file) == GIF_OK, DGifGetCode(file, &code, &block) == GIF_OK else {
          return false
        }
        while block != nil { if DGifGetCodeNext(file, &block) != GIF_OK { return false } }
      case EXTENSION_RECORD_TYPE:
        guard DGifGetExtension(file, &code, &block) == GIF_OK else { return false }
        while block != nil { if DGifGetExtensionNext(file, &block) != GIF_OK { return false } }
      default: return false
      }
    }
    return false
  }
}
