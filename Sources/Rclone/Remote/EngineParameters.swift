/// What a command of rclone's remote control is told.
struct EngineParameters: Encodable {
  /// The remote.
  var fs: String?
  /// A path in it.
  var remote: String?
  /// The name of a configured remote.
  var name: String?
  var opt: Options?

  /// Of operations/list and operations/stat.
  struct Options: Encodable {
    var noMimeType = true
    var showHash = false
    var hashTypes: [String]?
    var filesOnly: Bool?

    /// Has those digests told that tpick knows and the remote has.
    mutating func setHashes(_ known: [String]) {
      let wanted = known.filter { RcloneEntry.hashNames.contains($0) }
      showHash = !wanted.isEmpty
      hashTypes = wanted.isEmpty ? nil : wanted
    }
  }
}
