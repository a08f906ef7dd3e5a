/// What the codec helper tells of a file: containers' facts, and metadata blocks as they are.
package struct CodecFacts: Hashable, Sendable {
  /// Pixels as the decoder gives them: a container's own rotation is applied already.
  package var width = 0
  package var height = 0
  /// Seconds; 0 for stills.
  package var duration: Double = 0
  /// Pictures a second; 0 for stills.
  package var frameRate: Double = 0
  package var hasVideo = false
  package var hasAudio = false
  /// More than one picture, shown one after another.
  package var isAnimated = false
  /// Two views of one scene.
  package var isStereo = false
  /// How many pictures a HEIC or AVIF file shows side by side, thumbnails and auxiliary images not counted.
  package var imageCount = 0
  /// Where in the file the video of a Motion Photo lies that is a box of a HEIC file ("mpvd"); nil where there is none.
  package var videoBox: Range<Int>?
  /// The types of HEIC auxiliary images, as URNs.
  package var auxiliaryTypes: [String] = []
  /// Tags of the container by their names, as "com.apple.quicktime.creationdate".
  package var tags: [String: String] = [:]
  /// What a raw file's maker recorded; nil for other files.
  package var camera: CameraFacts?
  /// An EXIF block from its TIFF header on; empty where there is none.
  package var exif: [UInt8] = []
  /// An XMP packet; empty where there is none.
  package var xmp: [UInt8] = []

  package init() {}
}
