import AssetLibrary
import Pixels
import Results

/// An asset as JSON with its metadata: the keys of `AssetDocument` plus `details`.
struct InfoDocument: Encodable {
  struct Details: Encodable {
    var camera: String?
    var lens: String?
    var isoSpeed: Int?
    var fNumber: Double?
    var exposureTime: Double?
    var focalLength: Double?
    var rating: Int?
    var title: String?
    var caption: String?
    var keywords: [String]
    var people: [String]
  }

  private let record: AssetRecord

  init(_ record: AssetRecord) {
    self.record = record
  }

  private enum Keys: CodingKey {
    case details
  }

  func encode(to encoder: any Encoder) throws {
    try AssetDocument(record).encode(to: encoder)
    let details = record.details
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(
      Details(
        camera: details.camera, lens: details.lens, isoSpeed: details.isoSpeed, fNumber: details.fNumber,
        exposureTime: details.exposureTime, focalLength: details.focalLength,
        rating: details.rating, title: details.title, caption: details.caption, keywords: details.keywords,
        people: details.people),
      forKey: .details)
  }
}

/// Formats the metadata as aligned names and values.
enum InfoText {
  static func text(for records: [AssetRecord]) -> [UInt8] {
    let blocks = records.map { record in
      lines(for: record).map { name, value in
        let padding = String(repeating: " ", count: max(0, 14 - name.count))
        return "\(name)\(padding)\(value)\n"
      }.joined()
    }
    return Array(blocks.joined(separator: "\n").utf8)
  }

  private static func lines(for record: AssetRecord) -> [(String, String)] {
    let (asset, details) = (record.asset, record.details)
    var lines: [(String, String)] = []
    // Line breaks in a value must not look like further entries.
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append((name, OutputText.escaped(value))) }
    }
    func addText(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append((name, OutputText.line(value))) }
    }
    add("path", asset.primaryResource.map { String(decoding: $0.path.bytes, as: UTF8.self) })
    add("type", asset.mediaType.rawValue)
    add("subtypes", asset.mediaSubtypes.names.joined(separator: ", "))
    if asset.pixelSize != .zero { add("size", "\(asset.pixelSize.width) × \(asset.pixelSize.height) pixels") }
    if asset.duration > 0 { add("duration", Self.duration(asset.duration)) }
    add("taken", asset.creationDate.iso8601 + (asset.dateZoneText.map { " (\($0))" } ?? ""))
    add("changed", asset.modificationDate.iso8601)
    add("camera", details.camera)
    add("lens", details.lens)
    add("exposure", Self.exposure(details))
    add("place", asset.location.map { "\(Self.degrees($0.latitude)), \(Self.degrees($0.longitude))" })
    add("altitude", details.altitude.map { "\(($0 * 10).rounded() / 10) m" })
    add(
      "rating", details.rating.map { $0 > 0 ? String(repeating: "★", count: $0) : $0 < 0 ? "rejected" : "" })
    add("favorite", asset.isFavorite ? "yes" : nil)
    add("hidden", asset.isHidden ? "yes" : nil)
    add("edited", asset.hasAdjustments ? "yes" : nil)
    add("burst", asset.burstIdentifier)
    addText("title", details.title)
    addText("caption", details.caption)
    addText("keywords", details.keywords.joined(separator: ", "))
    addText("people", details.people.joined(separator: ", "))
    add("identifier", asset.localIdentifier.rawValue)
    for resource in asset.resources {
      add(
        resource.type.rawValue,
        "\(String(decoding: resource.path.bytes, as: UTF8.self)), \(resource.uniformTypeIdentifier), \(Wording.count(resource.byteCount, "byte"))"
          + (resource.byteRange.map { ", embedded at byte \($0.lowerBound)" } ?? ""))
    }
    return lines
  }

  /// Rounds to six decimals, about 0.1 m.
  private static func degrees(_ angle: Double) -> Double { (angle * 1_000_000).rounded() / 1_000_000 }

  private static func duration(_ seconds: Double) -> String {
    guard let tenths = Int(exactly: (seconds * 10).rounded()) else { return "\(seconds) s" }
    let (minutes, rest) = (tenths / 600, tenths % 600)
    return minutes > 0 ? "\(minutes) min \(rest / 10) s" : "\(rest / 10).\(rest % 10) s"
  }

  private static func exposure(_ details: AssetDetails) -> String {
    var parts: [String] = []
    switch details.exposureTime.flatMap(ExposureTime.init) {
    case .fraction(let denominator): parts.append("1/\(denominator) s")
    case .seconds(let seconds): parts.append("\(seconds) s")
    case nil: break
    }
    if let number = details.fNumber { parts.append("f/\((number * 10).rounded() / 10)") }
    if let speed = details.isoSpeed { parts.append("ISO \(speed)") }
    if let length = details.focalLength { parts.append("\((length * 10).rounded() / 10) mm") }
    return parts.joined(separator: ", ")
  }
}
