import AssetLibrary
import Imaging

/// What `tpick cache warm` did, as JSON and as a line.
struct WarmDocument: Encodable {
  var version = 1
  /// Photos and videos.
  var assets: Int
  /// Thumbnails that were made, and those that were there.
  var made: Int
  var present: Int
  /// Photos that are no larger than a thumbnail.
  var unneeded: Int
  /// Those that can't be shown.
  var failed: Int
  /// Those for which there was no room.
  var left: Int

  init(_ tally: ThumbnailWarmer.Tally) {
    (made, present, unneeded) = (tally.made, tally.present, tally.unneeded)
    (failed, left) = (tally.failures.count, tally.left)
    assets = tally.count + tally.left
  }

  var text: String {
    var parts = ["\(Wording.count(made, "thumbnail")) made", "\(present) there before"]
    if unneeded > 0 { parts.append("none needed for \(unneeded)") }
    if failed > 0 { parts.append("\(failed) can't be shown") }
    if left > 0 {
      let limit = CacheText.bytes(ThumbnailDirectory.defaultLimit)
      parts.append("no room for \(Wording.count(left, "older one")) (at most \(limit) are kept)")
    }
    return parts.joined(separator: ", ") + "\n"
  }
}
