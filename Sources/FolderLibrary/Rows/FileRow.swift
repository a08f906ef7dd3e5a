import CPlatform

/// A file as stored in memory and in the index: the values that reveal changes, and its role in an asset.
///
/// Plain memory without references: a hundred thousand rows are one block, in memory and on disk.
struct FileRow: BitwiseCopyable, Sendable {
  /// Size in bytes, `RemoteFile.unknownSize` for some remote files.
  ///
  /// Together with the two times and the inode it shows whether the file has changed.
  var size: Int64
  /// Modification time in nanoseconds since 1970, UTC.
  var modified: Int64
  /// Status change time, in the same unit; 0 for a remote file.
  var changed: Int64
  var inode: UInt64
  /// The range of the embedded thumbnail, or of the part of the file that this resource is.
  var rangeStart: UInt64 = 0
  var rangeCount: UInt64 = 0
  /// The range of the name in the segment's names.
  var nameOffset: UInt32
  /// The size of the stored pixels, before orientation is applied.
  var storedWidth: UInt32 = 0
  var storedHeight: UInt32 = 0
  var nameCount: UInt16
  /// The number of `AssetResource.Kind`; `none` if the file belongs to no asset.
  var kind: UInt8 = Self.none
  /// The number of `FileFormat`; 0 if the content is not an image or a video.
  var format: UInt8 = 0
  /// The EXIF orientation, 1 to 8.
  var orientation: UInt8 = 1
  /// 1 if the resource is a part of its file.
  ///
  /// A number, since any byte read from disk must be valid.
  private var embedded: UInt8 = 0
  /// The number of runs in which the codec helper stalled on it; reset to 0 once it was read.
  var stalledRuns: UInt8 = 0
  /// 1 if it is a JPEG that not every program displays.
  private var rare: UInt8 = 0

  var isEmbedded: Bool {
    get { embedded != 0 }
    set { embedded = newValue ? 1 : 0 }
  }

  var isRareJPEG: Bool {
    get { rare != 0 }
    set { rare = newValue ? 1 : 0 }
  }

  /// The known number of bytes: 0 if the server does not report the size.
  var byteCount: Int64 { max(0, size) }

  /// The range of the embedded thumbnail; nil if there is none.
  var thumbnail: Range<Int>? {
    rangeCount > 0 && !isEmbedded ? Int(rangeStart)..<Int(rangeStart + rangeCount) : nil
  }

  init(
    size: Int64, modified: Int64, changed: Int64 = 0, inode: UInt64, nameOffset: UInt32, nameCount: UInt16
  ) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
    self.nameOffset = nameOffset
    self.nameCount = nameCount
  }

  static let none: UInt8 = 255

  func isSame(_ status: file_status) -> Bool {
    size == status.size && modified == status.modified && changed == status.changed && inode == status.inode
  }
}
