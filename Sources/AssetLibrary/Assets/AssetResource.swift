public import Pixels
public import SystemPackage

/// One of the files that an asset is made of.
public struct AssetResource: Hashable, Sendable {
  /// What part the file plays in its asset.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case photo, video, audio, alternatePhoto, fullSizePhoto, fullSizeVideo, adjustmentData, pairedVideo
    case photoProxy
  }

  public var type: Kind
  /// Where the file is: the source as the user named it + the part below it.
  ///
  /// The bytes of its name need not be UTF-8.
  public var path: FilePath
  /// The format by its content, as "public.jpeg".
  public var uniformTypeIdentifier: String
  /// The resource's length in bytes.
  public var byteCount: Int64
  /// How the stored pixels have to be turned to stand upright.
  public var orientation: Orientation
  /// The size of the stored pixels, before orientation; zero where it is not known.
  public var storedSize: PixelSize
  /// Where the embedded JPEG thumbnail lies in the file, in bytes.
  public var thumbnail: Range<Int>?
  /// The part of the file that the resource is, in bytes; nil = the whole file.
  ///
  /// A Motion Photo keeps its video in the photo's file.
  public var byteRange: Range<Int>?
  /// Whether the bytes can be read without a network.
  public var isLocallyAvailable = true
  /// Whether it is a JPEG that not every program shows: of four inks, of more than 8 bits, or coded in a rare way.
  package var isRareJPEG = false
  /// Whether a small picture of a file on a server is on this machine, as far as it is known.
  package var hasThumbnailHere = false
  /// Which state of which file it is; nil where that is not known, as of a file on a server.
  package var fileVersion: FileVersion?
  /// A number for the file as it is now, where it is on a server; nil for a file of this machine.
  package var remoteVersion: UInt64?
  /// The address of the file on its server, as "nas:Photos/a.jpg", with all that is secret in it; nil for a file of this
  /// machine.
  package var remoteAddress: String?
  /// The kind of that server, as a scheme of URIs.
  package var remoteScheme: String?
  /// The same for messages, without what is secret.
  package var remoteName: String?

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

  /// What messages call the file: its path, or where it is on a server.
  package var subject: String { remoteName ?? String(decoding: path.bytes, as: UTF8.self) }

  /// The bytes of the file's own name, without its folder.
  public var filename: [UInt8] { path.nameBytes }
}

/// One state of one file: another after every write, and after another file took its name.
///
/// Size and modification time are no proof: programs that rotate a photo in place keep both, and a copy brings
/// its own time along. The change time is the file system's own.
package struct FileVersion: Hashable, Sendable {
  package var inode: UInt64
  /// Nanoseconds since 1970, UTC.
  package var changeTime: Int64

  package init(inode: UInt64, changeTime: Int64) {
    (self.inode, self.changeTime) = (inode, changeTime)
  }
}

extension FilePath {
  /// The path's bytes, exactly as the file system knows them.
  public var bytes: [UInt8] {
    withPlatformString { start in
      var length = 0
      while start[length] != 0 { length += 1 }
      return Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// A path of the given bytes up to the first NUL.
  public init(bytes: [UInt8]) {
    var platform = bytes
    platform.append(0)
    self = platform.withUnsafeBytes { buffer in
      buffer.assumingMemoryBound(to: CInterop.PlatformChar.self).baseAddress
        .map { FilePath(platformString: $0) } ?? FilePath("")
    }
  }

  /// A path of the given bytes up to the first NUL.
  public init(bytes: some Sequence<UInt8>) { self.init(bytes: Array(bytes)) }

  /// The bytes of the last component.
  public var nameBytes: [UInt8] {
    let bytes = self.bytes
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[($0 + 1)...]) } ?? bytes
  }
}

/// What is on this machine of a resource whose bytes are elsewhere: enough to show a small picture of it.
public struct PartialResource: Sendable {
  /// The resource as far as its small picture goes: where in the bytes that lies, and how it is turned.
  public var resource: AssetResource
  public var reader: any ResourceReader

  public init(_ resource: AssetResource, reader: any ResourceReader) {
    self.resource = resource
    self.reader = reader
  }
}
