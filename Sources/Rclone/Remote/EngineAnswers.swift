/// The response of operations/list.
struct ListAnswer: Decodable {
  var list: [EntryAnswer]
}

/// The response of operations/stat.
struct StatAnswer: Decodable {
  var item: EntryAnswer?
}

/// A file or folder as rclone describes it.
struct EntryAnswer: Decodable {
  var name: String
  var size: Int64
  var modified: String
  var isFolder: Bool
  var id: String?
  var hashes: [String: String]?

  private enum CodingKeys: String, CodingKey {
    case name = "Name"
    case size = "Size"
    case modified = "ModTime"
    case isFolder = "IsDir"
    case id = "ID"
    case hashes = "Hashes"
  }
}

/// The response of operations/fsinfo.
struct FeaturesAnswer: Decodable {
  var features: [String: Bool]
  var hashes: [String]?
  var precision: Int64
  var name: String

  private enum CodingKeys: String, CodingKey {
    case features = "Features"
    case hashes = "Hashes"
    case precision = "Precision"
    case name = "Name"
  }
}

/// The response of a failed command.
struct ErrorAnswer: Decodable {
  var error: String
}

extension RcloneEntry {
  /// The names of the digests that are kept.
  static let hashNames: Set<String> = ["md5", "sha1", "sha256"]

  init(_ answer: EntryAnswer) {
    var hashes: [String: String] = [:]
    for (name, digits) in answer.hashes ?? [:] {
      // Versions of rclone differ: "SHA-1", "sha1".
      let name = name.lowercased().replacing("-", with: "")
      if Self.hashNames.contains(name), !digits.isEmpty { hashes[name] = digits.lowercased() }
    }
    self.init(
      name: answer.name, size: answer.isFolder ? -1 : answer.size,
      modified: RcloneTime.nanoseconds(answer.modified) ?? 0, isFolder: answer.isFolder,
      id: answer.id.flatMap { $0.isEmpty ? nil : $0 }, hashes: hashes)
  }
}

extension RcloneFeatures {
  /// Backends whose folders have the modification times of a file system.
  private static let withFolderTimes: Set<String> = ["local", "sftp", "smb"]

  init(_ answer: FeaturesAnswer, backend: String) {
    let isLocal = answer.features["IsLocal"] ?? false
    let backend = isLocal ? "local" : backend
    self.init(
      backend: backend,
      hashes: (answer.hashes ?? []).map { $0.lowercased().replacing("-", with: "") },
      precision: answer.precision,
      // rclone reports this since 1.66; before, it is known for some backends.
      hasFolderTimes: answer.features["DirModTimeUpdatesOnWrite"] ?? Self.withFolderTimes.contains(backend),
      isBucketBased: answer.features["BucketBased"] ?? false,
      hasSlowHashes: answer.features["SlowHash"] ?? false)
  }
}

/// The features of a remote.
package struct RcloneFeatures: Hashable, Sendable {
  /// The type of the backend as in rclone's configuration: webdav, sftp, s3, local.
  ///
  /// For an alias, the type of its target; "" if unknown.
  package var backend: String
  /// The digests that the server or rclone provides, by rclone's names in lower case: md5, sha1, sha256 and
  /// others.
  package var hashes: [String]
  /// The precision of modification times in nanoseconds.
  package var precision: Int64
  /// Whether modification times of folders come from the server and change when an entry is added, removed or
  /// renamed.
  package var hasFolderTimes: Bool
  /// Whether folders exist only as prefixes of names, as in S3.
  package var isBucketBased: Bool
  /// Whether computing a digest reads the whole file.
  package var hasSlowHashes: Bool

  package init(
    backend: String, hashes: [String], precision: Int64, hasFolderTimes: Bool, isBucketBased: Bool,
    hasSlowHashes: Bool
  ) {
    self.backend = backend
    self.hashes = hashes
    self.precision = precision
    self.hasFolderTimes = hasFolderTimes
    self.isBucketBased = isBucketBased
    self.hasSlowHashes = hasSlowHashes
  }
}
