import AssetLibrary
import Pixels

/// What a thumbnail says of its original (Thumbnail Managing Standard 0.9, "Thumbnail Attributes").
///
/// Made by other programs too, and so not to be trusted.
struct ThumbnailAttributes: Hashable {
  /// Texts by their keywords.
  let words: [String: String]

  var uri: String? { words["Thumb::URI"] }
  /// What the program that wrote it has to say.
  var comment: String? { words["Comment"] }
  /// In how many runs of tpick reading the original stalled; nil where that is not what the entry is about.
  var stalledRuns: Int? { number(Self.stalledRunsKeyword) }
  static let stalledRunsKeyword = "Tpick::StalledRuns"
  /// Which state of which file it is of, as tpick's own tell it.
  var version: FileVersion? {
    let numbers = words[Self.fileKeyword]?.split(separator: " ") ?? []
    guard numbers.count == 2, let inode = UInt64(numbers[0]), let time = Int64(numbers[1]) else { return nil }
    return FileVersion(inode: inode, changeTime: time)
  }
  static let fileKeyword = "Tpick::File"
  static func text(of version: FileVersion) -> String { "\(version.inode) \(version.changeTime)" }
  /// The upright size of the original in pixels, where both sides are told.
  var sourceSize: PixelSize? {
    guard let width = number("Thumb::Image::Width"), let height = number("Thumb::Image::Height") else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// Whether this is a thumbnail of the file as it is now, as far as the standard's words tell.
  ///
  /// They are a whole second and a size, which many files have in common, and which programs keep that change a photo in
  /// place.
  func match(_ subject: ThumbnailSubject, _ name: ThumbnailName) -> Bool {
    guard uri == name.uri, number("Thumb::MTime") == subject.modificationTime else { return false }
    return words["Thumb::Size"] == nil || number("Thumb::Size") == subject.fileSize
  }

  /// Whether it is one of tpick's own of the file as it is now; nil where it is another program's.
  func isOwn(of subject: ThumbnailSubject) -> Bool? { version.map { $0 == subject.version } }

  private func number(_ keyword: String) -> Int? { words[keyword].flatMap { Int($0) } }
}
