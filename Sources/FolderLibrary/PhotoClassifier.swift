import AssetLibrary
import Metadata
import Pixels

/// What is special about a photograph, by what its file says and how it is called.
///
/// Pure: facts and a name go in. Only what a fact supports is claimed.
enum PhotoClassifier {
  static func subtypes(of facts: PhotoFacts, named name: String) -> MediaSubtypes {
    var subtypes: MediaSubtypes = []
    switch facts.customRendered {
    case 2, 3: subtypes.insert(.hdr)
    case 6: subtypes.insert(.panorama)
    case 7, 8: subtypes.insert(.depthEffect)
    default: break
    }
    if facts.hdrImageType == 3 { subtypes.insert(.hdr) }
    if facts.lens?.lowercased().contains("front") ?? false { subtypes.insert(.selfie) }
    if facts.userComment?.hasPrefix("Screenshot") ?? false || isScreenshotName(name) {
      subtypes.insert(.screenshot)
    }
    if isWide(facts) { subtypes.insert(.panorama) }
    return subtypes
  }

  /// The last resort for panoramas: no camera's sensor is that wide.
  private static func isWide(_ facts: PhotoFacts) -> Bool {
    guard facts.make != nil || facts.model != nil else { return false }
    let (width, height) = (facts.storedSize.width, facts.storedSize.height)
    return max(width, height) * 2 >= min(width, height) * 5
  }

  /// What systems and desktops call their screenshots.
  private static let screenshotNames = [
    "screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "capture d'écran", "スクリーンショット",
    "captura de pantalla", "schermata", "schermafbeelding", "zrzut ekranu", "снимок экрана", "截屏", "截图",
  ]

  private static func isScreenshotName(_ name: String) -> Bool {
    let name = name.lowercased()
    return screenshotNames.contains { name.hasPrefix($0) }
  }

  /// The series that a photograph belongs to: what the camera says, else what Android's cameras put into the
  /// name (`…_BURST20240501120000123_COVER`, `00000IMG_00000_BURST20240501120000`).
  static func burst(of facts: PhotoFacts, named name: String) -> String? {
    if let identifier = facts.burstIdentifier { return identifier }
    guard let mark = name.firstRange(of: "_BURST") else { return nil }
    let digits = name[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
    let rest = name[digits.endIndex...].prefix { $0 != "." }
    return digits.count >= 3 && (rest.isEmpty || rest == "_COVER") ? String(digits) : nil
  }
}
