/// What a remote can do.
package struct RcloneFeatures: Hashable, Sendable {
  /// The type of the backend, as rclone's configuration names it: webdav, sftp, s3, local.
  ///
  /// Of an alias that of what is behind it; "" where it can't be told.
  package var backend: String
  /// The digests that its server or rclone can tell, by rclone's names in lower case: md5, sha1, sha256 and others.
  package var hashes: [String]
  /// By how many nanoseconds times of change may be off.
  package var precision: Int64
  /// Whether the times of folders are the server's, and change when something in them is added, removed or renamed.
  package var hasFolderTimes: Bool
  /// Whether folders are made of names alone, as in S3.
  package var isBucketBased: Bool
  /// Whether telling a digest means reading the whole file.
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
