package import AssetLibrary

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
