import MediaFormats
import Metadata

/// A file's name, parsed by the naming rules of cameras and editors.
///
/// Supports the rules of Apple's cameras (`IMG_E1234`, `IMG_O1234.AAE`, `_HEVC`), of Google's
/// (`PXL_….RAW-01.COVER.jpg` with `….RAW-02.ORIGINAL.dng`, `PXL_….MP.jpg` with `PXL_….dng`), and of editors
/// that add "edited".
struct FileName: Hashable {
  /// The file's role among the files of its stem, by its name.
  enum Part: Hashable {
    case plain
    /// An edited rendition, if there is an original.
    case edited
    /// An XMP sidecar.
    case sidecar
    /// Apple's description of a user's edit.
    case adjustment
    /// Apple's description of the camera's own adjustments.
    case cameraAdjustment
  }

  /// The part of the name that all files of one picture share, in lower case.
  var stem: [UInt8]
  /// The extension in lower case, without the dot.
  var suffix: [UInt8]
  var part: Part
  /// The extension of the only file that a sidecar such as `a.jpg.xmp` belongs to.
  var target: [UInt8]?
  /// Whether the name is that of a Live Photo's HEVC video.
  var isHEVC = false

  init(_ name: some Collection<UInt8>) {
    let small = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    (stem, suffix) = Self.split(small)
    part = .plain
    if suffix.elementsEqual("xmp".utf8) {
      part = .sidecar
      let inner = Self.split(stem)
      if Self.hasMediaExtension(inner.suffix) {
        target = inner.suffix
        stem = inner.stem
      }
    } else if suffix.elementsEqual("aae".utf8) {
      part = .adjustment
    }
    simplify()
  }

  /// Whether the file only describes others.
  var describesOthers: Bool { part != .plain && part != .edited }

  private static func split(_ name: [UInt8]) -> (stem: [UInt8], suffix: [UInt8]) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name, []) }
    return (Array(name[..<dot]), Array(name[(dot + 1)...]))
  }

  /// Whether the file is a leftover of a program, not a photo of its own.
  ///
  /// "._IMG_1.JPG" is written by macOS on foreign disks, "IMG_1.JPG~" is an editor's backup, and
  /// "IMG_1.JPG_original" is ExifTool's backup of a file that it changed.
  static func isLeftover(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.count > 2, let last = name.last else { return false }
    if name[0] == UInt8(ascii: "."), name[1] == UInt8(ascii: "_") { return true }
    if last == UInt8(ascii: "~") { return true }
    guard last == UInt8(ascii: "l"), name.count > original.count,
      name.suffix(original.count).elementsEqual(original)
    else { return false }
    return hasMediaExtension(FileName(name.dropLast(original.count)).suffix)
  }

  private static let original = Array("_original".utf8)

  private static let mediaSuffixes = Set(FileFormat.allCases.flatMap(\.suffixes).map { Array($0.utf8) })

  /// Whether files with this extension are images or videos.
  static func hasMediaExtension(_ suffix: [UInt8]) -> Bool { mediaSuffixes.contains(suffix) }

  private mutating func simplify() {
    if let mark = Self.find(".raw-0", in: stem) { stem.removeSubrange(mark...) }
    // PXL_….MP.jpg is the Motion Photo that belongs to the raw file PXL_….dng.
    if stem.starts(with: "pxl_".utf8), stem.suffix(3).elementsEqual(".mp".utf8) { stem.removeLast(3) }
    for ending in ["_edited", "-edited"] where stem.count > ending.utf8.count {
      if stem.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
        stem.removeLast(ending.utf8.count)
        if part == .plain { part = .edited }
      }
    }
    if stem.suffix(5).elementsEqual("_hevc".utf8), stem.count > 5 {
      stem.removeLast(5)
      isHEVC = true
    }
    // IMG_E1234 and IMG_O1234 belong to IMG_1234; their copies, such as IMG_E1234 (2), belong to IMG_1234
    // (2).
    guard stem.count > 5, stem.starts(with: "img_".utf8) else { return }
    let rest = Self.withoutCopyNumber(stem[5...])
    guard !rest.isEmpty, rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    if stem[4] == UInt8(ascii: "e") {
      stem.remove(at: 4)
      if part == .plain { part = .edited }
    } else if stem[4] == UInt8(ascii: "o"), part == .adjustment {
      stem.remove(at: 4)
      part = .cameraAdjustment
    }
  }

  /// Returns a stem without the number of a copy, such as " (2)".
  private static func withoutCopyNumber(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard stem.last == UInt8(ascii: ")"), let start = stem.lastIndex(of: UInt8(ascii: " ")),
      start + 3 < stem.endIndex, stem[start + 1] == UInt8(ascii: "("),
      stem[(start + 2)..<(stem.endIndex - 1)].allSatisfy({ (0x30...0x39).contains($0) })
    else { return stem }
    return stem[..<start]
  }

  private static func find(_ text: String, in bytes: [UInt8]) -> Int? {
    let text = Array(text.utf8)
    guard bytes.count > text.count else { return nil }
    return (1...bytes.count - text.count).first { bytes[$0..<$0 + text.count].elementsEqual(text) }
  }
}

/// Classifies file names without a library, for files in the trash.
package enum PhotoFileName {
  /// Whether a file of this name is an image or a video, or describes one.
  package static func isMediaOrSidecar(_ name: [UInt8]) -> Bool {
    let name = FileName(name)
    return FileName.hasMediaExtension(name.suffix) || name.describesOthers
  }

  /// Returns the part of the name that all files of one photo share.
  package static func stem(_ name: [UInt8]) -> [UInt8] { FileName(name).stem }
}
