import AssetLibrary
import Rclone

/// Tries what tpick needs of a remote, and prints how each try ended.
struct RemoteExamination {
  private let address: RemoteAddress
  private let remote: RcloneRemote

  init(_ address: RemoteAddress, settings: RcloneSettings) {
    self.address = address
    remote = RcloneRemote(address.remote, settings: settings)
  }

  /// - Returns: whether photos can be had from there.
  func run() throws(Failure) -> Bool {
    let (features, entries): (RcloneFeatures, [RcloneEntry])
    do throws(RcloneError) {
      features = try remote.features()
      entries = try remote.list(address.path, wantsHashes: false, isCancelled: { false })
    } catch {
      Messages.warn("\(error)")
      return false
    }
    let folders = entries.count(where: \.isFolder)
    try say(
      "listing",
      "yes: \(Wording.count(entries.count - folders, "file")), \(Wording.count(folders, "folder")) (\(features.backend))"
    )
    let areRanges = try sayRanges(entries)
    let hashes = features.hashes.filter { ["md5", "sha1", "sha256"].contains($0) }.joined(separator: ", ")
    try say(
      "hashes", hashes.isEmpty ? "no" : features.hasSlowHashes ? "\(hashes), by reading whole files" : hashes)
    try say(
      "folder times",
      features.hasFolderTimes ? "yes" : "not to be relied on: folders are listed again to see what is new")
    return areRanges
  }

  /// - Returns: false where reading fails.
  private func sayRanges(_ entries: [RcloneEntry]) throws(Failure) -> Bool {
    guard let file = entries.first(where: { !$0.isFolder && $0.size >= 2 }) else {
      try say("parts of files", "not tried: there is no file in this folder")
      return true
    }
    let path = address.path.isEmpty ? file.name : "\(address.path)/\(file.name)"
    do throws(RcloneError) {
      try remote.read(
        path, range: file.size / 2..<file.size / 2 + 1, of: file.size, modified: nil, isCancelled: { false },
        take: { _ in true })
    } catch {
      guard error.kind == .rangeIgnored else {
        Messages.warn("\(error)")
        return false
      }
      try say("parts of files", "no: every photo is read whole")
      return true
    }
    try say("parts of files", "yes")
    return true
  }

  private func say(_ name: String, _ value: String) throws(Failure) {
    let line = "\(name)\(String(repeating: " ", count: 16 - name.count))\(OutputText.escaped(value))\n"
    guard StandardStream.output.write(Array(line.utf8)) else {
      throw .error("standard output: can't be written")
    }
  }
}
