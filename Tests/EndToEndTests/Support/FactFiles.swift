import Fixtures
import Metadata

/// The files of the fact library that code makes.
enum FactFiles {
  /// JPEG photographs.
  static func photos() throws -> [FactFile] {
    try [
      FactFile("plain.jpg", bytes: FactPhoto.photo()),
      FactFile(
        "panorama-wide.jpg", "panoramas", bytes: wide(make: "Canon")),
      FactFile("wide-without-camera.jpg", bytes: wide(make: nil)),
      FactFile(
        "hdr-applenote.jpg", "hdr", bytes: FactPhoto.appleNote { $0.long(0x000A, 3) }),
      FactFile("hdr-applenote-original.jpg", bytes: FactPhoto.appleNote { $0.long(0x000A, 4) }),
      FactFile("hdr-ultrahdr.jpg", "hdr", bytes: FactPhoto.xmp("hdrgm:Version=\"1.0\"")),
      // Of a burst the first photo is shown, or the one that the camera chose.
      FactFile(
        "burst-applenote-1.jpg", "bursts",
        files: [
          "burst-applenote-1.jpg": FactPhoto.appleNote(takenAt: 1) { $0.text(0x000B, "5D2C-81") },
          "burst-applenote-2.jpg": FactPhoto.appleNote(takenAt: 2) { $0.text(0x000B, "5D2C-81") },
        ]),
      FactFile(
        "burst_BURST20240501120000123_COVER.jpg", "bursts",
        files: [
          "burst_BURST20240501120000123_COVER.jpg": FactPhoto.photo(),
          "burst_BURST20240501120000123.jpg": FactPhoto.photo(),
        ]),
      FactFile(
        "00000IMG_00000_BURST20240501130000.jpg", "bursts",
        files: [
          "00000IMG_00000_BURST20240501130000.jpg": FactPhoto.exif { $0.text(0x9003, "2024:05:01 13:00:00") },
          "00001IMG_00001_BURST20240501130000.jpg": FactPhoto.exif { $0.text(0x9003, "2024:05:01 13:00:01") },
        ]),
      FactFile(
        "PXL_20240501_120000123.LONG_EXPOSURE-01.COVER.jpg", "longExposures", bytes: FactPhoto.photo()),
      FactFile("Capture d’écran 2024-05-01.jpg", "screenshots", bytes: FactPhoto.photo()),
      FactFile("スクリーンショット.jpg", "screenshots", bytes: FactPhoto.photo()),
      FactFile("my screenshot.jpg", bytes: FactPhoto.photo()),
      // These names are for videos.
      FactFile("timelapse.jpg", bytes: FactPhoto.photo()),
      FactFile("rating4.jpg", bytes: FactPhoto.xmp("xmp:Rating=\"4\"")),
      FactFile(".hidden.jpg", "hidden", bytes: FactPhoto.photo()),
    ]
  }

  private static func wide(make: String?) throws -> [UInt8] {
    var photo = TestPhoto(width: 250, height: 100)
    photo.facts.make = make
    return try photo.bytes()
  }

  /// Pictures of other formats.
  static func pictures() -> [FactFile] {
    let depth = "urn:mpeg:hevc:2015:auxid:2"
    let gainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"
    var camera = TIFFFile()
    camera.text(0x010F, "Canon")
    let size = (width: 1170, height: 2532)
    return [
      FactFile(
        "portrait-auxiliary.heic", "depthEffectPhotos", bytes: HandmadeHEIC(auxiliaryTypes: [depth]).bytes),
      FactFile("hdr-gainmap.heic", "hdr", bytes: HandmadeHEIC(auxiliaryTypes: [gainMap]).bytes),
      FactFile(
        "spatial.heic", "spatialMedia", bytes: HandmadeHEIC(hasSecondPicture: true, isStereo: true).bytes),
      FactFile("two-pictures.heic", bytes: HandmadeHEIC(hasSecondPicture: true).bytes),
      FactFile(
        "Bildschirmfoto 2024-05-01 um 12.00.00.png", "screenshots",
        bytes: PictureFiles.png(width: 64, height: 48)),
      FactFile(
        "screen-sized.png", "screenshots", bytes: PictureFiles.png(width: size.width, height: size.height)),
      FactFile(
        "screen-sized-by-a-camera.png",
        bytes: PictureFiles.png(
          width: size.width, height: size.height, before: PictureFiles.pngChunk("eXIf", camera.bytes()))),
      FactFile("still.gif", bytes: PictureFiles.gif(width: 64, height: 48, frames: 1)),
      FactFile("raw.dng", "raw", "geotagged", bytes: HandmadeDNG().bytes),
    ]
  }

  /// Videos that no camera at hand records.
  static func videos() -> [FactFile] {
    let cinematic = "com.apple.quicktime.cinematic-video.rendering"
    return [
      FactFile("cinematic-track.mov", "cinematicVideos", bytes: HandmadeMovie(timedKeys: [cinematic]).bytes),
      FactFile(
        "spatial-mvhevc.mov", "spatialMedia",
        bytes: HandmadeMovie(extensions: Boxes.box("lhvC", Boxes.zeros(6))).bytes),
      FactFile("ordinary.mov", bytes: HandmadeMovie().bytes),
    ]
  }
}
