import CPlatform

/// One file as the library keeps it: what tells whether it changed, and which part of an asset it is.
///
/// Plain memory without references: a hundred thousand of them are one block, in memory as on disk.
struct FileRow: BitwiseCopyable, Sendable {
  /// Bytes, `RemoteFile.unknownSize` of some on servers; with the two times and the inode what tells whether the file is the same as before.
  var size: Int64
  /// Nanoseconds since 1970, UTC.
  var modified: Int64
  /// The same; 0 for a file on a server.
  var changed: Int64
  var inode: UInt64
  /// Where the embedded thumbnail lies, or the part of the file that this resource is.
  var rangeStart: UInt64 = 0
  var rangeCount: UInt64 = 0
  /// Where the name lies among the segment's names.
  var nameOffset: UInt32
  /// The size of the stored pixels.
  var storedWidth: UInt32 = 0
  var storedHeight: UInt32 = 0
  var nameCount: UInt16
  /// The number of `AssetResource.Kind`; `none` for a file that belongs to no asset.
  var kind: UInt8 = Self.none
  /// `FileFormat`'s number; 0 where the content is no medium.
  var format: UInt8 = 0
  /// EXIF's number, 1 to 8.
  var orientation: UInt8 = 1
  /// 1 where the resource is a part of its file: a number, as any byte is one.
  private var embedded: UInt8 = 0
  /// In how many runs the codec helper stalled on it; 0 once it has told something.
  var stalledRuns: UInt8 = 0
  /// 1 where it is a JPEG that not every program shows.
  private var rare: UInt8 = 0

  var isEmbedded: Bool {
    get { embedded != 0 }
    set { embedded = newValue ? 1 : 0 }
  }

  var isRareJPEG: Bool {
    get { rare != 0 }
    set { rare = newValue ? 1 : 0 }
  }

  /// Bytes that are known of: none of a file whose length the server does not tell.
  var byteCount: Int64 { max(0, size) }

  /// Where the thumbnail that the file carries lies in it; nil where it has none.
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
