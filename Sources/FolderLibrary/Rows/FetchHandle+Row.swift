import AssetLibrary

/// In a library of folders a handle says where the row of an asset is.
extension FetchHandle {
  /// - Parameters:
  ///   - segment: the number of the segment.
  ///   - row: the index of the row among the segment's assets.
  init(segment: Int, row: Int) { self.init(rawValue: UInt64(segment) << 32 | UInt64(row)) }

  var segment: Int { Int(rawValue >> 32) }
  var row: Int { Int(rawValue & 0xFFFF_FFFF) }
}
