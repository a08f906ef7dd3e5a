import AssetLibrary
import Pixels
import Results
import SystemPackage

/// An asset with all metadata.
enum SampleAssets {
  static func asset(path: [UInt8] = Array("/photos/2024/IMG_1.tar.jpg".utf8)) -> Asset {
    var asset = Asset(
      localIdentifier: LocalIdentifier("id-1"), mediaType: .image,
      pixelSize: PixelSize(width: 4000, height: 3000),
      creationDate: AssetDate(
        year: 2024, month: 5, day: 2, hour: 14, minute: 3, second: 9, utcOffset: 3600),
      modificationDate: AssetDate(year: 2024, month: 12, day: 30),
      resources: [
        AssetResource(
          type: .photo, path: FilePath(bytes: path), uniformTypeIdentifier: "public.jpeg", byteCount: 1234,
          orientation: .rightTop)
      ])
    asset.mediaSubtypes = [.hdr, .panorama]
    asset.duration = 1.5
    asset.rating = 4
    asset.isFavorite = true
    asset.location = Location(latitude: 38.72, longitude: -9.139999999999999)
    return asset
  }

  static var details: AssetDetails {
    var details = AssetDetails()
    details.camera = "Canon EOS 90D"
    details.lens = "EF-S18-135mm"
    details.isoSpeed = 200
    details.fNumber = 4
    details.exposureTime = 0.004
    details.focalLength = 35
    details.altitude = -86.5
    details.title = "The harbor"
    details.caption = "Boats\r\nin it"
    details.keywords = ["boats", "sea"]
    details.people = ["Ana Lima"]
    return details
  }

  static func record(path: [UInt8] = Array("/photos/2024/IMG_1.tar.jpg".utf8)) -> AssetRecord {
    AssetRecord(
      asset(path: path), details: details,
      albums: [
        .init(localIdentifier: "a", title: "photos", path: Array("/photos".utf8)),
        .init(localIdentifier: "b", title: "Favorites", path: nil),
      ])
  }

  /// The output of a template for an asset.
  static func text(_ template: String, of record: AssetRecord = record()) throws(FormatError) -> String {
    String(decoding: try ResultTemplate(Array(template.utf8)).bytes(of: record), as: UTF8.self)
  }
}
