import Fixtures

extension FactFiles {
  /// Photographs that consist of several files, or of a file in a file.
  /// - Parameter clip: A playable video.
  static func pairs(clip: [UInt8]) throws -> [FactFile] {
    try livePhotos(clip: clip) + edits() + sidecars()
  }

  private static func livePhotos(clip: [UInt8]) throws -> [FactFile] {
    let photo = try FactPhoto.photo()
    let identified = try FactPhoto.appleNote { $0.text(0x0011, "6F9A-12") }
    let key = HandmadeMovie.text("com.apple.quicktime.content.identifier", "6F9A-12")
    let claim = "Camera:MicroVideo=\"1\" Camera:MicroVideoOffset=\"\(clip.count)\""
    return try [
      FactFile(
        "live.heic", "livePhotos",
        files: ["live.heic": HandmadeHEIC().bytes, "live.mov": HandmadeMovie().bytes]),
      FactFile(
        "IMG_0042.JPG", "livePhotos",
        files: ["IMG_0042.JPG": photo, "IMG_0042_HEVC.MOV": HandmadeMovie().bytes]),
      FactFile(
        "live-identifier.jpg", "livePhotos",
        files: ["live-identifier.jpg": identified, "of-another-name.mov": HandmadeMovie(keys: [key]).bytes]),
      FactFile(
        "png-never-pairs.png", files: ["png-never-pairs.png": PictureFiles.png(width: 64, height: 48)]),
      FactFile(
        "motion.jpg", "livePhotos", bytes: FactPhoto.motion(length: clip.count, behind: clip)),
      FactFile("motion-microvideo.jpg", "livePhotos", bytes: FactPhoto.xmp(claim, behind: clip)),
      FactFile(
        "motion-samsung.jpg", "livePhotos",
        bytes: FactPhoto.exif(make: "samsung") { _ in }
          + MetadataSegments.samsungTrailer(clip)),
      FactFile(
        "motion-smart-switch.jpg", "livePhotos",
        bytes: FactPhoto.exif(make: "Apple") { _ in } + MetadataSegments.samsungTrailer(clip)),
      FactFile(
        "motion-box.heic", "livePhotos",
        files: ["motion-box.heic": HandmadeHEIC().bytes + Boxes.box("mpvd", clip)]),
      FactFile("motion-flag-only.jpg", bytes: FactPhoto.motion(length: clip.count, behind: [])),
    ]
  }

  private static func edits() throws -> [FactFile] {
    let (photo, words) = (try FactPhoto.photo(), Array("<plist/>".utf8))
    return [
      FactFile("IMG_E1001.jpg", "edited", files: ["IMG_1001.jpg": photo, "IMG_E1001.jpg": photo]),
      FactFile("IMG_1002.jpg", "edited", files: ["IMG_1002.jpg": photo, "IMG_1002.AAE": words]),
      // Adjustments by the camera are no edit.
      FactFile("IMG_1003.jpg", files: ["IMG_1003.jpg": photo, "IMG_O1003.AAE": words]),
      FactFile("walk_edited.jpg", "edited", files: ["walk.jpg": photo, "walk_edited.jpg": photo]),
      FactFile("swim-edited.jpg", "edited", files: ["swim.jpg": photo, "swim-edited.jpg": photo]),
      FactFile("orphan_edited.jpg", files: ["orphan_edited.jpg": photo]),
    ]
  }

  private static func sidecars() throws -> [FactFile] {
    let photo = try FactPhoto.photo()
    let negative = HandmadeDNG().bytes
    let sidecar = MetadataSegments.xmp(attributes: "xmp:Rating=\"5\"")
    return [
      FactFile(
        "favorite-sidecar.jpg", "favorites",
        files: ["favorite-sidecar.jpg": photo, "favorite-sidecar.xmp": sidecar]),
      FactFile(
        "favorite-named-sidecar.jpg", "favorites",
        files: ["favorite-named-sidecar.jpg": photo, "favorite-named-sidecar.jpg.xmp": sidecar]),
      FactFile("raw+jpeg.jpg", "raw", files: ["raw+jpeg.jpg": photo, "raw+jpeg.dng": negative]),
      FactFile(
        "PXL_20240502.RAW-01.COVER.jpg", "raw",
        files: ["PXL_20240502.RAW-01.COVER.jpg": photo, "PXL_20240502.RAW-02.ORIGINAL.dng": negative]),
    ]
  }
}
