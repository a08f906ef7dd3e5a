public import Pixels
public import SystemPackage

/// One of the files that an asset consists of.
public struct AssetResource: Hashable, Sendable {
  /// The role of a file in its asset.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The original photo.
    case photo
    /// The original video.
    case video
    /// An audio file.
    case audio
    /// A second original of the same photo, such as the raw file beside a JPEG.
    case alternatePhoto
    /// The rendered result of editing a photo.
    case fullSizePhoto
    /// The rendered result of editing a video.
    case fullSizeVideo
    /// A description of edits or further metadata, such as an AAE or XMP sidecar.
    case adjustmentData
    /// The video of a Live Photo.
    case pairedVideo
    /// The rendered result of editing the video of a Live Photo.
    case fullSizePairedVideo
    /// A separate small image of the photo or video.
    case photoProxy
  }

  /// The role of the file in its asset.
  public var type: Kind
  /// The path: the source as the user named it and the path below it.
  ///
  /// The bytes of the file name may be invalid UTF-8.
  public var path: FilePath
  /// The format, recognized by the file's content, as "public.jpeg".
  public var uniformTypeIdentifier: String
  /// The length in bytes.
  public var byteCount: Int64
  /// The rotation and mirroring that turns the stored pixels upright.
  public var orientation: Orientation
  /// The size of the stored pixels, before orientation; zero if unknown.
  public var storedSize: PixelSize
  /// The byte range of the embedded JPEG thumbnail in the file; nil if there is none.
  public var thumbnail: Range<Int>?
  /// The byte range of the resource in the file; nil = the whole file.
  ///
  /// A Motion Photo, for example, stores its video inside the photo's file.
  public var byteRange: Range<Int>?
  /// Whether the bytes can be read without network access.
  public var isLocallyAvailable = true
  /// Whether it is a JPEG variant that some programs can't show: CMYK, more than 8 bits, or a rare coding
  /// process.
  package var isRareJPEG = false
  /// Whether a thumbnail of a remote file is known to be stored on this machine.
  package var hasLocalThumbnail = false
  /// The version of the file; nil if unknown, as for remote files.
  package var fileVersion: FileVersion?
  /// A number that identifies the current version of a remote file; nil for a local file.
  package var remoteVersion: UInt64?
  /// The address of the file on its server, as "nas:Photos/a.jpg", including secrets such as passwords; nil
  /// for a local file.
  package var remoteAddress: String?
  /// The kind of server, as a URI scheme; nil for a local file.
  package var remoteScheme: String?
  /// The address for messages, with secrets removed; nil for a local file.
  package var remoteName: String?

  /// Creates a resource; properties without a parameter have their default values.
  /// - Parameters:
  ///   - type: the role of the file.
  ///   - path: the source as the user named it and the path below it.
  ///   - uniformTypeIdentifier: the format, as "public.jpeg".
  ///   - byteCount: the length of the resource in bytes.
  ///   - orientation: the rotation and mirroring that turns the stored pixels upright.
  ///   - storedSize: the size of the stored pixels, before orientation; zero if unknown.
  ///   - thumbnail: the byte range of the embedded JPEG thumbnail in the file.
  ///   - byteRange: the byte range of the resource in the file; nil = the whole file.
  public init(
    type: Kind, path: FilePath, uniformTypeIdentifier: String, byteCount: Int64,
    orientation: Orientation = .topLeft, storedSize: PixelSize = .zero, thumbnail: Range<Int>? = nil,
    byteRange: Range<Int>? = nil
  ) {
    self.type = type
    self.path = path
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.byteCount = byteCount
    self.orientation = orientation
    self.storedSize = storedSize
    self.thumbnail = thumbnail
    self.byteRange = byteRange
  }

  /// The name of the file in messages: its path, or its address on a server.
  package var subject: String { remoteName ?? String(decoding: path.bytes, as: UTF8.self) }

  /// The file name as text; bytes that are not valid UTF-8 are replaced.
  ///
  /// For the user; open the file by `path`.
  public var originalFilename: String { String(decoding: filename, as: UTF8.self) }

  /// The bytes of the file name, without its folder.
  public var filename: [UInt8] { path.nameBytes }
}

/// A version of a file, which differs after every write and after another file was moved to its path.
///
/// Size and modification time are not sufficient: programs that rotate a photo in place may preserve both,
/// and copying a file can preserve its time. The file system alone sets the change time.
package struct FileVersion: Hashable, Sendable {
  package var inode: UInt64
  /// The change time (ctime) in nanoseconds since 1970, UTC.
  package var changeTime: Int64

  package init(inode: UInt64, changeTime: Int64) {
    (self.inode, self.changeTime) = (inode, changeTime)
  }
}

extension FilePath {
  /// The bytes of the path, exactly as in the file system.
  public var bytes: [UInt8] {
    withPlatformString { start in
      var length = 0
      while start[length] != 0 { length += 1 }
      return Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Creates a path from bytes, up to the first NUL.
  public init(bytes: [UInt8]) {
    var platform = bytes
    platform.append(0)
    self = platform.withUnsafeBytes { buffer in
      buffer.assumingMemoryBound(to: CInterop.PlatformChar.self).baseAddress
        .map { FilePath(platformString: $0) } ?? FilePath("")
    }
  }

  /// Creates a path from bytes, up to the first NUL.
  public init(bytes: some Sequence<UInt8>) { self.init(bytes: Array(bytes)) }

  /// The bytes of the last path component.
  public var nameBytes: [UInt8] {
    let bytes = self.bytes
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[($0 + 1)...]) } ?? bytes
  }
}

/// The locally stored parts of a remote resource that suffice to show a thumbnail of it.
public struct PartialResource: Sendable {
  /// The resource, with the byte range of its thumbnail within the reader's bytes and its orientation.
  public var resource: AssetResource
  /// The reader of the local bytes.
  public var reader: any ResourceReader

  /// Pairs a resource with the reader of its local bytes.
  public init(_ resource: AssetResource, reader: any ResourceReader) {
    self.resource = resource
    self.reader = reader
  }
}
