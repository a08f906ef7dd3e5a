import AssetLibrary
import CPlatform
import MediaFormats
import Metadata
import Testing

@testable import FolderLibrary

/// Which files with one stem form an asset.
@Suite struct AssetAssemblerTests {
  /// Input files (`name` or `name#content identifier`) and the expected assets: the parts of each, preceded by `*` if
  /// it counts as edited.
  struct Files: Sendable {
    var names: [String]
    var assets: [String]

    init(_ names: [String], _ assets: [String]) {
      (self.names, self.assets) = (names, assets)
    }
  }

  private func finding(_ text: String, at index: Int) -> FileFinding {
    let parts = text.split(separator: "#")
    let name = FileName(Array(parts[0].utf8))
    var content = FileFinding.Content.nothing
    switch name.part {
    case .sidecar: content = .sidecar(MediaFacts())
    case .adjustment, .cameraAdjustment: content = .adjustment
    case .plain, .edited:
      let suffix = String(decoding: name.suffix, as: UTF8.self)
      if let format = FileFormat(suffix: suffix) {
        var facts = MediaFacts()
        facts.contentIdentifier = parts.count > 1 ? String(parts[1]) : nil
        content = parts.last == "broken" ? .broken("damaged") : .media(format, facts)
      }
    }
    return FileFinding(name: name, index: index, status: file_status(), content: content)
  }

  private func assets(_ names: [String]) -> [String] {
    let findings = names.enumerated().map { finding($1, at: $0) }
    #expect(Set(findings.map(\.name.stem)).count == 1, "the files of a case have one stem")
    return AssetAssembler.groups(of: findings).map { group in
      let members = group.members.map { member in
        "\(member.kind.rawValue) \(names[member.finding].split(separator: "#")[0])"
      }
      return (group.isAdjusted ? "*" : "") + members.joined(separator: ", ")
    }
  }

  static let pairs = [
    Files(["a.jpg"], ["photo a.jpg"]),
    Files(["a.JPG", "A.dng"], ["photo a.JPG, alternatePhoto A.dng"]),
    Files(["IMG_1.CR2", "IMG_1.heic"], ["photo IMG_1.heic, alternatePhoto IMG_1.CR2"]),
    Files(
      ["a.heic", "a.jpg", "a.nef"], ["photo a.heic", "photo a.jpg, alternatePhoto a.nef"]),
    Files(
      ["P.RAW-01.COVER.jpg", "P.RAW-02.ORIGINAL.dng"],
      ["photo P.RAW-01.COVER.jpg, alternatePhoto P.RAW-02.ORIGINAL.dng"]),
    Files(["P.RAW-02.ORIGINAL.dng"], ["photo P.RAW-02.ORIGINAL.dng"]),
    Files(["a.arw", "a.dng", "a.jpg"], ["photo a.jpg, alternatePhoto a.arw", "photo a.dng"]),
    Files(["PXL_1.MP.jpg", "PXL_1.dng"], ["photo PXL_1.MP.jpg, alternatePhoto PXL_1.dng"]),
    Files(["a.nef", "a.png"], ["photo a.png", "photo a.nef"]),
    Files(["a.nef", "a.tif"], ["photo a.tif", "photo a.nef"]),
    Files(["a.nef"], ["photo a.nef"]),
  ]

  @Test(arguments: pairs)
  func `A raw file joins one JPEG or HEIC`(files: Files) { #expect(assets(files.names) == files.assets) }

  static let edits = [
    Files(["IMG_1234.HEIC", "IMG_E1234.HEIC"], ["*photo IMG_1234.HEIC, fullSizePhoto IMG_E1234.HEIC"]),
    Files(["IMG_1234.HEIC", "IMG_E1234.JPG"], ["*photo IMG_1234.HEIC, fullSizePhoto IMG_E1234.JPG"]),
    Files(["a-edited.jpg", "a.jpg"], ["*photo a.jpg, fullSizePhoto a-edited.jpg"]),
    Files(["a.jpg", "a_edited.png"], ["*photo a.jpg, fullSizePhoto a_edited.png"]),
    Files(["IMG_1234.DNG", "IMG_E1234.JPG"], ["*photo IMG_1234.DNG, fullSizePhoto IMG_E1234.JPG"]),
    Files(["a-edited.mp4", "a.mp4"], ["*video a.mp4, fullSizeVideo a-edited.mp4"]),
    Files(["IMG_E1234.JPG"], ["photo IMG_E1234.JPG"]),
    Files(
      ["IMG_1234 (2).JPG", "IMG_E1234 (2).JPG"],
      ["*photo IMG_1234 (2).JPG, fullSizePhoto IMG_E1234 (2).JPG"]),
    Files(["IMG_E1234.MOV"], ["video IMG_E1234.MOV"]),
    Files(
      ["a-edited.jpg", "a.jpg", "a_edited.jpg"],
      ["*photo a.jpg, fullSizePhoto a-edited.jpg", "photo a_edited.jpg"]),
    Files(["a.mp4", "a_edited.jpg"], ["video a.mp4", "photo a_edited.jpg"]),
    Files(["a.jpg", "a_edited.mp4"], ["photo a.jpg", "video a_edited.mp4"]),
    Files(
      ["IMG_1.DNG", "IMG_1.JPG", "IMG_1_edited.jpg"],
      ["*photo IMG_1.JPG, alternatePhoto IMG_1.DNG, fullSizePhoto IMG_1_edited.jpg"]),
    Files(
      ["IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.HEIC", "IMG_E1.MOV"],
      [
        "*photo IMG_1.HEIC, pairedVideo IMG_1.MOV, fullSizePhoto IMG_E1.HEIC, fullSizePairedVideo IMG_E1.MOV"
      ]),
    Files(
      ["IMG_1.JPG", "IMG_1.MOV", "IMG_E1.MOV"],
      ["*photo IMG_1.JPG, pairedVideo IMG_1.MOV, fullSizePairedVideo IMG_E1.MOV"]),
    Files(
      ["IMG_1.PNG", "IMG_1.MOV", "IMG_E1.MOV"],
      ["photo IMG_1.PNG", "*video IMG_1.MOV, fullSizeVideo IMG_E1.MOV"]),
    Files(
      ["IMG_1.JPG", "IMG_1.MOV", "IMG_E1.PNG"],
      ["*photo IMG_1.JPG, pairedVideo IMG_1.MOV, fullSizePhoto IMG_E1.PNG"]),
  ]

  @Test(arguments: edits)
  func `An edited rendition joins its original, or is an asset of its own without one`(files: Files) {
    #expect(assets(files.names) == files.assets)
  }

  static let live = [
    Files(["IMG_1.HEIC", "IMG_1.MOV"], ["photo IMG_1.HEIC, pairedVideo IMG_1.MOV"]),
    Files(["IMG_1.JPG", "img_1.mov"], ["photo IMG_1.JPG, pairedVideo img_1.mov"]),
    Files(["IMG_1.JPG", "IMG_1_HEVC.MOV"], ["photo IMG_1.JPG, pairedVideo IMG_1_HEVC.MOV"]),
    Files(["IMG_1.PNG", "IMG_1.MOV"], ["photo IMG_1.PNG", "video IMG_1.MOV"]),
    Files(["IMG_1.PNG#x", "IMG_1.MOV#x"], ["photo IMG_1.PNG", "video IMG_1.MOV"]),
    Files(["IMG_1.JPG", "IMG_1.MP4"], ["photo IMG_1.JPG", "video IMG_1.MP4"]),
    Files(["IMG_1.JPG#x", "IMG_1.MP4#x"], ["photo IMG_1.JPG, pairedVideo IMG_1.MP4"]),
    Files(["IMG_1.JPG#x", "IMG_1.MOV#y"], ["photo IMG_1.JPG", "video IMG_1.MOV"]),
    Files(["IMG_1.JPG#x", "IMG_1.MOV"], ["photo IMG_1.JPG, pairedVideo IMG_1.MOV"]),
    Files(
      ["IMG_1.HEIC", "IMG_1.JPG", "IMG_1.MOV"],
      ["photo IMG_1.HEIC, pairedVideo IMG_1.MOV", "photo IMG_1.JPG"]
    ),
    Files(
      ["IMG_1.HEIC#x", "IMG_1.JPG#y", "IMG_1.MOV#y"],
      ["photo IMG_1.HEIC", "photo IMG_1.JPG, pairedVideo IMG_1.MOV"]),
    Files(
      ["IMG_1.HEIC", "IMG_1.MOV", "IMG_1_HEVC.MOV"],
      ["photo IMG_1.HEIC, pairedVideo IMG_1.MOV", "video IMG_1_HEVC.MOV"]),
    Files(["IMG_1.MOV"], ["video IMG_1.MOV"]),
    Files(["IMG_1.NEF", "IMG_1.MOV"], ["photo IMG_1.NEF", "video IMG_1.MOV"]),
  ]

  @Test(arguments: live)
  func `A QuickTime video joins a HEIC or JPEG unless their content identifiers differ`(files: Files) {
    #expect(assets(files.names) == files.assets)
  }

  /// Metadata of a photo and a clip with one stem, and whether the two form a Live Photo.
  struct Moments: Sendable {
    var photo: (time: CivilTime?, identifier: String?)
    var clip: (time: CivilTime?, seconds: Double, identifier: String?)
    var isLive: Bool
  }

  private static func moment(
    _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, offset: Int? = nil
  ) -> CivilTime {
    CivilTime(
      year: 2024, month: month, day: day, hour: hour, minute: minute, second: second,
      utcOffset: offset.map { $0 * 3600 })
  }

  private static let noon = moment(8, 5, 12, 0, 0)
  private static let noonInParis = moment(8, 5, 12, 0, 0, offset: 2)

  static let moments = [
    // A case from practice: the camera's file counter started again.
    Moments(photo: (noon, nil), clip: (moment(9, 3, 18, 7, 0, offset: 0), 25, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(9, 3, 12, 0, 0), 2.8, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 12, 0, 2), 2.8, nil), isLive: true),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 12, 0, 9), 2.8, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 12, 0, 0), 25, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 12, 0, 0), 3.6, nil), isLive: true),
    // Clocks and time zones.
    Moments(photo: (noonInParis, nil), clip: (moment(8, 5, 12, 0, 1, offset: 2), 3, nil), isLive: true),
    Moments(photo: (noonInParis, nil), clip: (moment(8, 5, 10, 0, 1, offset: 0), 3, nil), isLive: true),
    Moments(photo: (noonInParis, nil), clip: (moment(8, 5, 12, 0, 1, offset: 0), 3, nil), isLive: true),
    Moments(photo: (noonInParis, nil), clip: (moment(8, 5, 9, 0, 1, offset: 0), 3, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 10, 0, 1, offset: 0), 3, nil), isLive: true),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 10, 7, 0, offset: 0), 3, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 4, 10, 0, 0, offset: 0), 3, nil), isLive: false),
    Moments(photo: (noon, nil), clip: (moment(8, 5, 10, 0, 0, offset: 2), 3, nil), isLive: false),
    // Unknown values do not prevent pairing.
    Moments(photo: (nil, nil), clip: (noon, 3, nil), isLive: true),
    Moments(photo: (noon, nil), clip: (nil, 3, nil), isLive: true),
    Moments(photo: (nil, nil), clip: (nil, 25, nil), isLive: false),
    // A content identifier in only one file proves nothing; equal ones in both are decisive.
    Moments(photo: (noon, "x"), clip: (moment(9, 3, 12, 0, 0), 25, nil), isLive: false),
    Moments(photo: (noon, "x"), clip: (moment(8, 5, 12, 0, 1), 3, nil), isLive: true),
    Moments(photo: (noon, "x"), clip: (moment(9, 3, 12, 0, 0), 25, "x"), isLive: true),
    Moments(photo: (noon, "x"), clip: (noon, 3, "y"), isLive: false),
  ]

  @Test(arguments: moments)
  func `A shared name alone makes no Live Photo`(moments: Moments) {
    var findings = [finding("IMG_1.JPG", at: 0), finding("IMG_1.MOV", at: 1)]
    var (photo, clip) = (MediaFacts(), MediaFacts())
    (photo.captureTime, photo.contentIdentifier) = moments.photo
    (clip.captureTime, clip.duration, clip.contentIdentifier) = moments.clip
    findings[0].content = .media(.jpeg, photo)
    findings[1].content = .media(.quickTime, clip)
    #expect(AssetAssembler.groups(of: findings).count == (moments.isLive ? 1 : 2))
  }

  static let same = [
    Files(["a.jpg", "A.JPG"], ["photo a.jpg", "photo A.JPG"]),
    Files(["a.jpeg", "a.jpg"], ["photo a.jpeg", "photo a.jpg"]),
    Files(["a.mov", "a.mp4"], ["video a.mov", "video a.mp4"]),
    Files(["a.gif", "a.jpg", "a.png"], ["photo a.jpg", "photo a.gif", "photo a.png"]),
    Files(["a.jpg", "a.png#broken"], ["photo a.jpg", "photo a.png"]),
    Files(["a.jpg", "a.txt"], ["photo a.jpg"]),
    Files(["a.txt"], []),
  ]

  @Test(arguments: same)
  func `Files of one kind are never grouped`(files: Files) { #expect(assets(files.names) == files.assets) }

  static let sidecars = [
    Files(["IMG_1.AAE", "IMG_1.JPG"], ["*photo IMG_1.JPG, adjustmentData IMG_1.AAE"]),
    Files(["IMG_1.JPG", "IMG_O1.AAE"], ["photo IMG_1.JPG, adjustmentData IMG_O1.AAE"]),
    Files(["IMG_1.AAE"], []),
    Files(["IMG_O1.AAE"], []),
    Files(["a.jpg", "a.xmp"], ["photo a.jpg, adjustmentData a.xmp"]),
    Files(["a.jpg", "a.jpg.xmp"], ["photo a.jpg, adjustmentData a.jpg.xmp"]),
    Files(["a.jpg", "a.nef.xmp"], ["photo a.jpg"]),
    Files(["a.jpg", "a.png", "a.png.xmp"], ["photo a.jpg", "photo a.png, adjustmentData a.png.xmp"]),
    Files(["a.jpg", "a.nef", "a.nef.xmp"], ["photo a.jpg, alternatePhoto a.nef, adjustmentData a.nef.xmp"]),
    Files(["a.mov", "a.xmp"], ["video a.mov, adjustmentData a.xmp"]),
    Files(["a.xmp"], []),
    Files(["a.jpg.xmp"], []),
  ]

  @Test(arguments: sidecars)
  func `Sidecars join the file they describe, and are no assets of their own`(files: Files) {
    #expect(assets(files.names) == files.assets)
  }
}
