package import AssetLibrary
import Pixels

/// What a field says of one asset.
enum FieldValue: Sendable {
  case text(String)
  case texts([String])
  case path([UInt8])
  case integer(Int64)
  case number(Double)
  case flag(Bool)
  case date(AssetDate)
  case location(Location)
  case resources([AssetResource])
  case albums([AssetRecord.Album])
}

extension AssetRecord {
  /// What a field says; nil where it is not known.
  func value(of field: AssetField) -> FieldValue? {
    switch field {
    case .localIdentifier: .text(asset.localIdentifier.rawValue)
    case .path: .path(path)
    case .pathBytes: PathText(path).base64.map { .text($0) }
    case .uri: .text(FileURI.text(for: asset))
    case .mediaType: .text(asset.mediaType.rawValue)
    case .mediaSubtypes: .texts(asset.mediaSubtypes.names)
    case .playbackStyle: .text(asset.playbackStyle.rawValue)
    case .pixelWidth: .integer(Int64(asset.pixelSize.width))
    case .pixelHeight: .integer(Int64(asset.pixelSize.height))
    case .creationDate: .date(asset.creationDate)
    case .creationDateSource: asset.creationDateSource.map { .text($0.rawValue) }
    case .creationTimestamp: asset.creationDate.secondsSince1970.map { .integer($0) }
    case .modificationDate: .date(asset.modificationDate)
    case .modificationTimestamp: asset.modificationDate.secondsSince1970.map { .integer($0) }
    case .duration: .number(asset.duration)
    case .isFavorite: .flag(asset.isFavorite)
    case .isHidden: .flag(asset.isHidden)
    case .burstIdentifier: asset.burstIdentifier.map { .text($0) }
    case .location: place.map { .location($0) }
    case .resources: .resources(asset.resources)
    case .rating: asset.rating == 0 ? nil : .integer(Int64(asset.rating))
    case .contentType: asset.primaryResource.map { .text($0.uniformTypeIdentifier) }
    case .mimeType: mimeType.map { .text($0) }
    case .orientation: asset.primaryResource.map { .integer(Int64($0.orientation.rawValue)) }
    case .fileSize: .integer(asset.byteCount)
    case .albums: .albums(albums)
    case .camera, .lens, .isoSpeed, .fNumber, .exposureTime, .focalLength, .altitude, .title, .caption,
      .keywords, .people:
      detail(field)
    }
  }

  /// What the file says itself.
  private func detail(_ field: AssetField) -> FieldValue? {
    switch field {
    case .camera: details.camera.map { .text($0) }
    case .lens: details.lens.map { .text($0) }
    case .isoSpeed: details.isoSpeed.map { .integer(Int64($0)) }
    case .fNumber: details.fNumber.map { .number($0) }
    case .exposureTime: details.exposureTime.map { .number($0) }
    case .focalLength: details.focalLength.map { .number($0) }
    case .altitude: details.altitude.map { .number($0) }
    case .title: details.title.map { .text($0) }
    case .caption: details.caption.map { .text($0) }
    case .keywords: .texts(details.keywords)
    case .people: .texts(details.people)
    default: nil
    }
  }

  /// The place without what calculating with minutes and seconds left behind: to a millimeter, finer than any source.
  var place: Location? {
    func rounded(_ angle: Double) -> Double { (angle * 100_000_000).rounded() / 100_000_000 }
    return asset.location.map {
      Location(latitude: rounded($0.latitude), longitude: rounded($0.longitude))
    }
  }
}

extension AssetDate {
  /// Seconds since 1970, UTC; nil where the offset is not known.
  package var secondsSince1970: Int64? { utcOffset.map { wallSeconds - Int64($0) } }

  /// The date in ISO 8601, with the UTC offset if known: "2024-05-02T14:10:20+01:00".
  package var iso8601: String {
    let fields = components
    func pad(_ value: Int, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(pad(fields.year, 4))-\(pad(fields.month))-\(pad(fields.day))"
    let time = "\(pad(fields.hour)):\(pad(fields.minute)):\(pad(fields.second))"
    guard let offset = utcOffset else { return "\(day)T\(time)" }
    if offset == 0 { return "\(day)T\(time)Z" }
    let minutes = abs(Int(offset)) / 60
    return "\(day)T\(time)\(offset < 0 ? "-" : "+")\(pad(minutes / 60)):\(pad(minutes % 60))"
  }
}

extension MediaSubtypes {
  private static let namesBySubtype: [(MediaSubtypes, String)] = [
    (.livePhoto, "livePhoto"), (.panorama, "panorama"), (.screenshot, "screenshot"),
    (.screenRecording, "screenRecording"), (.depthEffect, "depthEffect"), (.cinematic, "cinematic"),
    (.slomo, "slomo"), (.timelapse, "timelapse"), (.spatial, "spatial"), (.hdr, "hdr"),
    (.animated, "animated"), (.raw, "raw"), (.selfie, "selfie"), (.longExposure, "longExposure"),
  ]

  /// The names of the subtypes, as in PhotoKit.
  package var names: [String] { Self.namesBySubtype.filter { contains($0.0) }.map(\.1) }
}
