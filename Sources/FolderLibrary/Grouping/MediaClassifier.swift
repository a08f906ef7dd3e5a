import AssetLibrary
import MediaFormats
import Metadata
import Pixels

/// Determines the subtypes of a photo or video from its metadata and name.
///
/// Pure: takes facts, a format and a name. Claims only what a fact supports.
enum MediaClassifier {
  /// Returns the subtypes of a file, except Live Photo, which requires a second file.
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
    // "Animated" applies only to pictures, not to videos.
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
    // Google's camera marks long exposures only in the name:
    // "PXL_20240501_120000123.LONG_EXPOSURE-01.COVER.jpg".
    if name.byteOffset(of: ".long_exposure") != nil { subtypes.insert(.longExposure) }
    if isWide(facts) { subtypes.insert(.panorama) }
  }

  private static let screenRecordingNames = ["screenrecording", "screen recording", "screencast"]

  private static let timelapseNames: [StaticString] = ["timelapse", "time-lapse", "hyperlapse"]

  /// The fallback for panoramas: no camera sensor is that wide.
  private static func isWide(_ facts: MediaFacts) -> Bool {
    guard facts.make != nil || facts.model != nil else { return false }
    let (width, height) = (facts.storedSize.width, facts.storedSize.height)
    guard width > 0, height > 0 else { return false }
    return max(width, height) * 2 >= min(width, height) * 5
  }

  /// The burst that a photo belongs to, as determined from that photo alone.
  struct Burst: Hashable {
    var identifier: String
    /// Whether the name marks this photo as the cover of the burst.
    var isCover = false
    /// Whether the photo belongs to the burst only if another photo does too: names with just a time in
    /// seconds and a number are also given to single photos.
    var requiresSeveralPhotos = false
  }

  /// Returns the burst of a photo from its metadata, else from the naming rules of Android cameras.
  /// - Parameter folder: an identifier of the folder, since running numbers are unique only within it.
  static func burst(of facts: MediaFacts, format: FileFormat, named name: String, folder: UInt64) -> Burst? {
    // A video named like a burst must not be hidden behind a photo.
    let byName = format.isVideo ? nil : burst(named: name.lowercased(), folder: folder)
    guard let identifier = facts.burstIdentifier else { return byName }
    return Burst(identifier: identifier, isCover: byName?.isCover ?? false)
  }

  /// From this many digits on, the number is a timestamp, such as `20240501120000123`, that all photos of the
  /// burst share.
  private static let stampLength = 10

  /// The allowed suffixes after the number.
  ///
  /// Motorola's also tell how the picture was made.
  private static let burstEndings: [(ending: String, isCover: Bool)] = [
    ("", false), ("_cover", true), ("_cover_top", true), ("_cover_comp", true), ("_top", false),
    ("_comp", false),
  ]

  /// - Parameter name: in lower case.
  private static func burst(named name: String, folder: UInt64) -> Burst? {
    guard let mark = name.byteOffset(of: "_burst") else { return samsungBurst(named: name, folder: folder) }
    let digits = name[name.utf8.index(name.startIndex, offsetBy: mark + 6)...].prefix {
      $0.isASCII && $0.isNumber
    }
    let rest = name[digits.endIndex...].prefix { $0 != "." }
    guard !digits.isEmpty, let ending = burstEndings.first(where: { $0.ending == rest }) else { return nil }
    // Sony and Nexus: `DSC_0001_BURST20240501120000123_COVER`, `00000IMG_00000_BURST20240501120000`.
    if digits.utf8.count >= stampLength { return Burst(identifier: String(digits), isCover: ending.isCover) }
    // Motorola, OPPO, Huawei: `IMG_20250616_163308479_BURST001`. The numbers of each burst start at 1.
    return Burst(
      identifier: identifier(of: name.utf8.prefix(mark), in: folder), isCover: ending.isCover)
  }

  // Samsung: `20231207_101605_001`. Single photos may have such names too.
  private static func samsungBurst(named name: String, folder: UInt64) -> Burst? {
    let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard stem.count == 19 else { return nil }
    for (place, byte) in stem.enumerated() {
      let isRight = place == 8 || place == 15 ? byte == UInt8(ascii: "_") : (0x30...0x39).contains(byte)
      guard isRight else { return nil }
    }
    return Burst(identifier: identifier(of: stem.prefix(15), in: folder), requiresSeveralPhotos: true)
  }

  private static func identifier(of start: String.UTF8View.SubSequence, in folder: UInt64) -> String {
    "\(String(decoding: start, as: UTF8.self))@\(String(folder, radix: 36))"
  }
}

/// Common screen sizes, and the names of screenshots.
enum Screens {
  /// The prefixes of screenshot names by systems and desktops, in lower case.
  private static let screenshotNames = [
    "screenshot", "screen shot", "screen_shot", "bildschirmfoto", "capture d’écran", "capture d'écran",
    "スクリーンショット", "captura de pantalla", "captura de ecrã", "captura de tela", "schermata",
    "schermafbeelding", "zrzut ekranu", "снимок экрана", "skärmavbild", "skærmbillede", "skjermbilde",
    "näyttökuva", "ekran görüntüsü", "ekran resmi", "스크린샷", "截屏", "截圖", "截图", "螢幕截圖",
  ]

  /// Whether a file's name, in lower case, is that of a screenshot.
  static func isScreenshotName(_ name: String) -> Bool {
    // Fast path: nearly all names start with another letter.
    guard let first = name.unicodeScalars.first, firstLetters.contains(first) else { return false }
    return screenshotNames.contains { name.hasPrefix($0) }
  }

  private static let firstLetters = Set(screenshotNames.compactMap(\.unicodeScalars.first))

  /// Whether a picture has the size of a common screen in either orientation.
  static func hasSize(_ size: PixelSize) -> Bool {
    sizes.contains(PixelSize(width: max(size.width, size.height), height: min(size.width, size.height)))
  }

  /// Phones, tablets and desktops, the longer side first.
  private static let sizes: Set<PixelSize> = Set(
    (iPhones + iPads + androids + desktops).map { PixelSize(width: $0.0, height: $0.1) })

  private static let iPhones = [
    (960, 640), (1136, 640), (1334, 750), (1792, 828), (1920, 1080), (2208, 1242), (2340, 1080), (2436, 1125),
    (2532, 1170), (2556, 1179), (2622, 1206), (2688, 1242), (2736, 1260), (2778, 1284), (2796, 1290),
    (2868, 1320),
  ]

  private static let iPads = [
    (1024, 768), (2048, 1536), (2160, 1620), (2224, 1668), (2266, 1488), (2360, 1640), (2388, 1668),
    (2420, 1668), (2732, 2048), (2752, 2064),
  ]

  private static let androids = [
    (1280, 720), (1280, 800), (1520, 720), (1600, 720), (2160, 1080), (2220, 1080), (2244, 1080),
    (2246, 1080), (2248, 1080), (2280, 1080), (2310, 1080), (2312, 1080), (2316, 1080), (2376, 1080),
    (2400, 1080), (2404, 1080), (2408, 1080), (2412, 1080), (2424, 1080), (2520, 1080), (2560, 1440),
    (2560, 1600), (2640, 1200), (2670, 1200), (2712, 1220), (2880, 1440), (2960, 1440), (2992, 1344),
    (3040, 1440), (3088, 1440), (3120, 1440), (3168, 1440), (3200, 1440), (3216, 1440), (3840, 1644),
  ]

  private static let desktops = [
    (1280, 1024), (1366, 768), (1440, 900), (1600, 900), (1680, 1050), (1920, 1200), (2256, 1504),
    (2304, 1440), (2560, 1080), (2560, 1664), (2880, 1620), (2880, 1800), (2880, 1864), (2880, 1920),
    (3000, 2000), (3024, 1964), (3072, 1920), (3200, 1800), (3200, 2000), (3440, 1440), (3456, 2160),
    (3456, 2234), (3840, 1080), (3840, 1600), (3840, 2160), (3840, 2400), (4480, 2520), (4096, 2304),
    (5120, 1440), (5120, 2160), (5120, 2880), (6016, 3384),
  ]
}

/// Formats a camera's name.
enum CameraName {
  /// "Canon" and "Canon EOS 90D" give "Canon EOS 90D": most models repeat the make.
  static func text(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let first = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(first) ? model : "\(make) \(model)"
  }
}
