import AssetLibrary

// The numbers by which rows keep what is a case of an enumeration; the index keeps them too.

extension MediaType {
  static let numbered: [MediaType] = [.unknown, .image, .video, .audio]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}

extension PlaybackStyle {
  static let numbered: [PlaybackStyle] = [
    .unsupported, .image, .imageAnimated, .livePhoto, .video, .videoLooping,
  ]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}

extension AssetResource.Kind {
  static let numbered: [AssetResource.Kind] = [
    .photo, .video, .audio, .alternatePhoto, .fullSizePhoto, .fullSizeVideo, .adjustmentData, .pairedVideo,
    .photoProxy,
  ]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}
