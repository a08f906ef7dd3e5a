/// Facts about how a medium was made that are either there or not.
package struct MediaHints: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// More than one frame.
  package static let animated = MediaHints(rawValue: 1 << 0)
  /// XMP GPano:ProjectionType.
  package static let panorama = MediaHints(rawValue: 1 << 1)
  /// A depth map: HEIC auxiliary image `urn:mpeg:hevc:2015:auxid:2`, XMP GDepth.
  package static let depthMap = MediaHints(rawValue: 1 << 2)
  /// A gain map: HEIC auxiliary image `urn:com:apple:photo:2020:aux:hdrgainmap`, XMP hdrgm:Version.
  package static let gainMap = MediaHints(rawValue: 1 << 3)
  /// Two views of one scene: a HEIC stereo pair, an MV-HEVC track.
  package static let stereo = MediaHints(rawValue: 1 << 4)
  /// QuickTime author ReplayKitRecording.
  package static let screenRecording = MediaHints(rawValue: 1 << 5)
  /// QuickTime or Android tags, or a frame rate of 100 and more.
  package static let slomo = MediaHints(rawValue: 1 << 6)
  /// Tags that say time-lapse.
  package static let timelapse = MediaHints(rawValue: 1 << 7)
  /// QuickTime `com.apple.quicktime.cinematic-video`.
  package static let cinematic = MediaHints(rawValue: 1 << 8)
  /// Tags that say long exposure.
  package static let longExposure = MediaHints(rawValue: 1 << 9)
  /// A JPEG that not every program shows: one of four inks, of more than 8 bits a color, coded arithmetically, without loss
  /// or in a hierarchy of sizes.
  package static let rareJPEG = MediaHints(rawValue: 1 << 10)
  /// The capture time is that of a clock that counts in UTC, and nothing says what the clock on the wall showed.
  package static let countsInUTC = MediaHints(rawValue: 1 << 11)

  static let all = MediaHints(rawValue: (1 << 12) - 1)
}
