import AssetLibrary

extension MediaSubtypes {
  private static let words: [(MediaSubtypes, String)] = [
    (.livePhoto, "livePhoto"), (.panorama, "panorama"), (.screenshot, "screenshot"),
    (.screenRecording, "screenRecording"), (.depthEffect, "depthEffect"), (.cinematic, "cinematic"),
    (.slomo, "slomo"), (.timelapse, "timelapse"), (.spatial, "spatial"), (.hdr, "hdr"),
    (.animated, "animated"), (.raw, "raw"), (.selfie, "selfie"), (.longExposure, "longExposure"),
  ]

  /// The names of the subtypes, as PhotoKit has them.
  var names: [String] { Self.words.filter { contains($0.0) }.map(\.1) }
}

extension AssetDate {
  /// ISO 8601 with the offset where it is known: "2024-05-02T14:10:20+01:00".
  var iso8601: String {
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
