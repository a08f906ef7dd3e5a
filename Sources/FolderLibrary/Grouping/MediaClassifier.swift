import AssetLibrary
import MediaFormats
import Metadata
import Pixels

/// What is special about a photograph or a video, by what its file says and how it is called.
///
/// Pure: facts, a format and a name go in. Only what a fact supports is claimed.
enum MediaClassifier {
  /// The subtypes of a medium, all but the Live Photo, which takes a second file.
  static func subtypes(
    of facts: MediaFacts, format: FileFormat, named name: String
  ) -> MediaSubtypes {
    let name = name.lowercased()
    var subtypes = hinted(by: facts.hints)
    if format.isRaw { subtypes.insert(.raw) }
    if format.isVideo {
      addVideoSubtypes(facts, name, to: &subtypes)
    } else {
      addPictureSubtypes(facts, format, name, to: &subtypes)
    }
    return subtypes
  }

  private static let subtypesByHint: [(hint: MediaHints, subtype: MediaSubtypes)] = [
    (.animated, .animated), (.panorama, .panorama), (.depthMap, .depthEffect), (.gainMap, .hdr),
    (.stereo, .spatial), (.screenRecording, .screenRecording), (.slomo, .slomo), (.timelapse, .timelapse),
    (.cinematic, .cinematic), (.longExposure, .longExposure),
  ]

  private static func hinted(by hints: MediaHints) -> MediaSubtypes {
    if hints.isEmpty { return [] }
    var subtypes: MediaSubtypes = []
    for (hint, subtype) in subtypesByHint where hints.contains(hint) { subtypes.insert(subtype) }
    return subtypes
  }

  private static func addVideoSubtypes(
    _ facts: MediaFacts, _ name: String, to subtypes: inout MediaSubtypes
  ) {
    if screenRecordingNames.contains(where: { name.hasPrefix($0) }) { subtypes.insert(.screenRecording) }
    if timelapseNames.contains(where: { name.byteOffset(of: $0) != nil }) { subtypes.insert(.timelapse) }
    // A film is not "animated": that is said of pictures.
    subtypes.remove(.animated)
  }

  private static func addPictureSubtypes(
    _ facts: MediaFacts, _ format: FileFormat, _ name: String, to subtypes: inout MediaSubtypes
  ) {
    switch facts.customRendered {
    case 2, 3: subtypes.insert(.hdr)
    case 6: subtypes.insert(.panorama)
    case 7, 8: subtypes.insert(.depthEffect)
    default: break
    }
    if facts.hdrImageType == 3 { subtypes.insert(.hdr) }
    if facts.lens?.lowercased().byteOffset(of: "front") != nil { subtypes.insert(.selfie) }
    if facts.userComment?.hasPrefix("Screenshot") ?? false || Screens.isScreenshotName(name)
      || format == .png && facts.make == nil && Screens.hasSize(facts.storedSize)
    {
      subtypes.insert(.screenshot)
    }
    // Google's camera tells it by the name alone: "PXL_20240501_120000123.LONG_EXPOSURE-01.COVER.jpg".
    if name.byteOffset(of: ".long_exposure") != nil { subtypes.insert(.longExposure) }
    if isWide(facts) { subtypes.insert(.panorama) }
  }

  private static let screenRecordingNames = ["screenrecording", "screen recording", "screencast"]

  private static let timelapseNames: [StaticString] = ["timelapse", "time-lapse", "hyperlapse"]

  /// The last resort for panoramas: no camera's sensor is that wide.
  private static func isWide(_ facts: MediaFacts) -> Bool {
    guard facts.make != nil || facts.model != nil else { return false }
    let (width, height) = (facts.storedSize.width, facts.storedSize.height)
    guard width > 0, height > 0 else { return false }
    return max(width, height) * 2 >= min(width, height) * 5
  }

  /// A series of photographs, as one of them knows it.
  struct Burst: Hashable {
    var identifier: String
    /// Whether the name says that this one stands for the series.
    var isCover = false
    /// Whether one photo alone is no series: the name says which second it was taken in, and a number.
    var needsCompany = false
  }

  /// The series that a photograph belongs to: what the camera says, else what Android's cameras put into the name.
  /// - Parameter folder: a number for the folder, in which alone running numbers mean something.
  static func burst(of facts: MediaFacts, format: FileFormat, named name: String, folder: UInt64) -> Burst? {
    // A video that is named like one of a series is not hidden behind a photo.
    let byName = format.isVideo ? nil : burst(named: name.lowercased(), folder: folder)
    guard let identifier = facts.burstIdentifier else { return byName }
    return Burst(identifier: identifier, isCover: byName?.isCover ?? false)
  }

  /// From so many digits on they are a moment, as `20240501120000123`, which all photos of the series have in common.
  private static let stampLength = 10

  /// What may stand behind the number; Motorola's camera says besides how it made the picture.
  private static let burstEndings: [(ending: String, isCover: Bool)] = [
    ("", false), ("_cover", true), ("_cover_top", true), ("_cover_comp", true), ("_top", false),
    ("_comp", false),
  ]

  /// - Parameter name: in small letters.
  private static func burst(named name: String, folder: UInt64) -> Burst? {
    guard let mark = name.byteOffset(of: "_burst") else { return samsungBurst(named: name, folder: folder) }
    let digits = name[name.utf8.index(name.startIndex, offsetBy: mark + 6)...].prefix {
      $0.isASCII && $0.isNumber
    }
    let rest = name[digits.endIndex...].prefix { $0 != "." }
    guard !digits.isEmpty, let ending = burstEndings.first(where: { $0.ending == rest }) else { return nil }
    // Sony and Nexus: `DSC_0001_BURST20240501120000123_COVER`, `00000IMG_00000_BURST20240501120000`.
    if digits.utf8.count >= stampLength { return Burst(identifier: String(digits), isCover: ending.isCover) }
    // Motorola, OPPO, Huawei: `IMG_20250616_163308479_BURST001`. Each series counts from 1 again.
    return Burst(
      identifier: identifier(of: name.utf8.prefix(mark), in: folder), isCover: ending.isCover)
  }

  // Samsung: `20231207_101605_001`. A photo that was taken alone may be called so, too.
  private static func samsungBurst(named name: String, folder: UInt64) -> Burst? {
    let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard stem.count == 19 else { return nil }
    for (place, byte) in stem.enumerated() {
      let isRight = place == 8 || place == 15 ? byte == UInt8(ascii: "_") : (0x30...0x39).contains(byte)
      guard isRight else { return nil }
    }
    return Burst(identifier: identifier(of: stem.prefix(15), in: folder), needsCompany: true)
  }

  private static func identifier(of start: String.UTF8View.SubSequence, in folder: UInt64) -> String {
    "\(String(decoding: start, as: UTF8.self))@\(String(folder, radix: 36))"
  }
}
