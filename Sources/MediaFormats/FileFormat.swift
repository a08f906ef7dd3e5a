/// The formats of media files that are told by their content.
///
/// What else is to be known of one is in `FormatTable`. The index keeps the raw values: a new format gets the next
/// number.
package enum FileFormat: UInt8, CaseIterable, Hashable, Sendable {
  case jpeg = 1
  case png, gif, webp, heic, avif, tiff, bmp, jpegXL
  case dng, cr2, cr3, nef, arw, orf, rw2, raf, pef, srw
  case mp4, quickTime, m4v, matroska, webm, avi, threeGP, mpegTransport
}
