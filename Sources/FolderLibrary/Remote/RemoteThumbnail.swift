import AssetLibrary
import CodecProtocol
import MediaFormats
import Synchronization

/// Gets the thumbnail of a remote photo that lacks only its thumbnail.
///
/// If the file has an embedded thumbnail, which was removed from the cache, reads it again. Otherwise the
/// codec helper makes a thumbnail from parts of the file; a short file is downloaded as a whole.
struct RemoteThumbnail {
  /// The result.
  enum Outcome {
    /// The thumbnail is stored.
    case kept
    /// The file has no usable thumbnail.
    case nothing
    /// Others are more urgent, or the request was cancelled.
    case postponed
    /// The server or the network is unavailable for the moment.
    case unreachable(AssetError)
  }

  /// The size in pixels that the helper produces: enough for the largest tiles of a grid.
  private static let side = 384
  /// The maximum number of pixels of the source picture before it is reduced.
  private static let mostPixels = 8_000_000

  private let model: LibraryModel
  private let helper: CodecClient?
  private let sources: [any RemoteSource]
  private let headers: RecentHeaders

  /// - Parameter headers: provides the headers of some files.
  init(
    _ model: LibraryModel, _ helper: CodecClient?, _ sources: [any RemoteSource], _ headers: RecentHeaders
  ) {
    (self.model, self.helper, self.sources, self.headers) = (model, helper, sources, headers)
  }

  /// Whether a remote asset has been read and has no thumbnail on this machine.
  static func isWithout(_ row: AssetRow, in segment: Segment, _ copies: RemoteCopies) -> Bool {
    let file = segment.currentFile(of: row)
    let version = file.remoteVersion
    return !row.flags.contains(.unread) && row.defect == 0 && !copies.originals.contains(version)
      && !copies.hasThumbnail(of: version, hasOwn: file.remoteThumbnail != nil)
  }

  /// Gets the thumbnail of an asset.
  /// - Parameters:
  ///   - isCancelled: whether to abort.
  ///   - yields: whether others are more urgent; called before each part is read.
  func load(
    _ asset: UInt64, isCancelled: @escaping @Sendable () -> Bool, yields: @escaping @Sendable () -> Bool
  ) -> Outcome {
    guard let (source, file, row) = find(asset), !source.isOffline else { return .nothing }
    do throws(AssetError) {
      if let range = row.remoteThumbnail {
        let header = try HeaderFile(file, of: source)
        try header.load(range, isCancelled: isCancelled)
        source.keep(thumbnail: try header.bytes(in: range), at: range.lowerBound, of: file, isWanted: true)
        return .kept
      }
      let format = FileFormat(rawValue: row.format)
      if let helper, let format, format.decoder == .helper {
        switch try parts(of: file, format, source, helper, isCancelled, yields) {
        case .picture(let picture) where source.keep(picture: picture, of: file): return .kept
        case .interrupted: return .postponed
        case .picture, .nothing: break
        }
      }
      return try source.downloadShort(file, isCancelled: isCancelled) ? .kept : .nothing
    } catch {
      return isCancelled() ? .postponed : error.isTransient ? .unreachable(error) : .nothing
    }
  }

  private func find(_ asset: UInt64) -> (source: any RemoteSource, file: RemoteFile, row: FileRow)? {
    let found = model.read { state -> (place: [UInt8], name: [UInt8], row: FileRow)? in
      guard let handle = state.handles[asset] else { return nil }
      let segment = state.segment(of: handle)
      let row = segment.currentFile(of: state.row(of: handle))
      return (state.folders[segment.folder].canonicalPath, Array(segment.name(of: row)), row)
    }
    guard let found else { return nil }
    for source in sources {
      guard let folder = source.folder(at: found.place) else { continue }
      let path = folder + (folder.isEmpty ? [] : [UInt8(ascii: "/")]) + found.name
      let file = RemoteFile(
        path: path, key: found.row.inode, size: found.row.size, modified: found.row.modified)
      return (source, file, found.row)
    }
    return nil
  }

  private enum Parts {
    case picture(DecodedPicture)
    case nothing
    case interrupted
  }

  /// Lets the helper make a picture from as few parts of the file as possible.
  private func parts(
    of file: RemoteFile, _ format: FileFormat, _ source: any RemoteSource, _ helper: CodecClient,
    _ isCancelled: @escaping @Sendable () -> Bool, _ yields: () -> Bool
  ) throws(AssetError) -> Parts {
    let header: HeaderFile
    if let known = headers.take(file.version) {
      header = known
    } else {
      header = try HeaderFile(file, of: source)
    }
    guard let descriptor = header.descriptor else { return .nothing }
    var request = DecodeRequest(
      targetWidth: Self.side, targetHeight: Self.side, maxDecodedPixels: Self.mostPixels)
    // Stills are never read completely for a thumbnail: either the file contains a small picture, or it is
    // short enough to be downloaded.
    if !format.isVideo { request.source = .embedded }
    var loader: RangeLoader?
    var wanted: Range<Int>? = 0..<HeaderFile.step
    while let range = wanted {
      if yields() {
        headers.keep(header)
        return .interrupted
      }
      try header.load(range, isCancelled: isCancelled)
      request.present = header.present
      do throws(CodecError) {
        let picture = try helper.decode(descriptor, request, isCancelled: isCancelled)
        return picture.map { .picture($0) } ?? .interrupted
      } catch {
        guard case .incomplete(let range) = error else { return .nothing }
        var current = loader ?? RangeLoader(present: header.present, byteCount: header.count)
        wanted = current.next(after: range)
        loader = current
      }
    }
    return .nothing
  }
}

extension FileRow {
  /// The range of the embedded thumbnail to read if the file is remote; nil if it is too large.
  var remoteThumbnail: Range<Int>? {
    thumbnail.flatMap { $0.count <= HeaderFile.longestThumbnail ? $0 : nil }
  }

  /// The version number of the file if it is remote.
  var remoteVersion: UInt64 { RemoteFile.version(key: inode, size: size, modified: modified) }
}
