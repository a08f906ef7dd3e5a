/// Who an asset is, whatever its file is called.
struct AssetIdentity: Hashable, Sendable {
  var identifier: UInt64
  /// When the library first saw it, in seconds since 1970, UTC.
  var added: Int64
  /// Whether it is not what the file alone would give.
  var isInherited = false
}
