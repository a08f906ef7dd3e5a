import AssetLibrary
package import CodecProtocol
package import Pixels
import Synchronization
import System
package import SystemPackage

/// The user's thumbnails on disk, which all programs share.
///
/// Source: Thumbnail Managing Standard 0.9. Files have mode 0600 and folders 0700, so that a thumbnail does
/// not reveal an original that other users can't read. Methods may be called from any thread and in several
/// processes; they block while they access the disk.
package final class ThumbnailDirectory: Sendable {
  /// The folder of all thumbnails, `$XDG_CACHE_HOME/thumbnails`.
  package let root: FilePath
  let journal: ThumbnailJournal
  /// Locked during a cleanup; its modification time is that of the last one.
  let stamp: FilePath
  /// The name of this version's failure folder.
  let failureFolderName: String
  /// Reads thumbnails in a confined process, because any program of the user may have written them.
  private let reader: ReaderClient
  /// The number of bytes written since this process last cleaned up.
  let written = Mutex(0)

  /// Creates the access to a folder of thumbnails.
  /// - Parameters:
  ///   - root: the folder of all thumbnails, which is created when the first one is stored.
  ///   - state: tpick's own folder in the cache, for the journal of its thumbnails.
  ///   - version: the program's version; each has its own failure records, because another version may decode
  ///     what this one can't.
  ///   - reader: the helper that reads thumbnails.
  package init(root: FilePath, state: FilePath, version: String, reader: ReaderClient = .standard) {
    self.reader = reader
    self.root = root.absolute
    journal = ThumbnailJournal(path: state.absolute.appending("thumbnails.journal"))
    stamp = state.absolute.appending("thumbnails.cleaned")
    failureFolderName = "\(Self.failurePrefix)\(version)"
  }

  /// The prefix of the failure folders that tpick makes; the version follows.
  static let failurePrefix = "tpick-"

  /// The folder that contains the failure folder of each program.
  static let failureParent = "fail"

  // MARK: Reading

  /// Returns a thumbnail of the file's current version, from any program; nil if there is none of sufficient
  /// size.
  ///
  /// The smallest sufficient one is used. A thumbnail of a small original suffices if it is as large as the
  /// original, whose size it records.
  /// - Parameters:
  ///   - size: the requested size of the whole upright image in pixels.
  ///   - sourceSize: the size of the upright original, whose aspect ratio other programs' thumbnails must
  ///     match; nil = any.
  package func thumbnail(
    of subject: ThumbnailSubject, atLeast size: PixelSize, sourceSize: PixelSize? = nil
  ) -> Thumbnail? {
    guard let first = ThumbnailSize(covering: size) else { return nil }
    let name = subject.name
    for candidate in ThumbnailSize.allCases where candidate.side >= first.side {
      if let found = read(candidate, subject, name, atLeast: size.longerSide, sourceSize) { return found }
    }
    return nil
  }

  private func read(
    _ size: ThumbnailSize, _ subject: ThumbnailSubject, _ name: ThumbnailName, atLeast side: Int,
    _ sourceSize: PixelSize?
  ) -> Thumbnail? {
    let longest = Self.longestSide(size)
    let request = ThumbnailRequest(
      longestSide: longest, longestFile: longest * longest * PixelBuffer.bytesPerPixel + Self.longestText,
      wantsPicture: true)
    guard let stored = try? stored(path(of: name, size), request), let decoded = stored.picture else {
      return nil
    }
    let attributes = ThumbnailAttributes(words: stored.words)
    let picture = decoded.pixels
    // Thumbnails of other programs don't identify the file's version. One that is older than the file's last
    // change may show the previous content, so it is not used.
    let isCurrent =
      attributes.isOwn(of: subject)
      ?? (stored.modified > subject.version?.changeTime ?? .min
        && sourceSize.map(picture.size.isReduced) ?? true)
    guard isCurrent, attributes.match(subject, name),
      picture.size.longerSide >= min(side, attributes.sourceSize?.longerSide ?? .max)
    else { return nil }
    return Thumbnail(picture: picture, size: size, sourceSize: attributes.sourceSize)
  }

  /// The longest side of a thumbnail that is accepted: in some programs the size is that of the shorter side.
  private static func longestSide(_ size: ThumbnailSize) -> Int { size.side * 2 }

  private static let longestText = 1 << 20

  /// A thumbnail file as read by the helper.
  private struct Stored {
    var words: [String: String]
    var picture: DecodedPicture?
    /// The modification time in nanoseconds since 1970.
    var modified: Int64
  }

  /// Reads a thumbnail file with the helper; nil if it does not exist.
  private func stored(_ path: FilePath, _ request: ThumbnailRequest) throws(CodecError) -> Stored? {
    guard let file = PrivateFile.open(path, limit: request.longestFile) else { return nil }
    defer { close(file.descriptor) }
    let (words, picture) = try reader.thumbnail(of: file.descriptor, request)
    return Stored(words: words, picture: picture, modified: file.modified)
  }

  /// Returns the folder of the thumbnails of a size.
  func path(of size: ThumbnailSize) -> FilePath { root.appending(size.folderName) }

  /// Returns the path of this version's failure record.
  private func failurePath(of name: ThumbnailName) -> FilePath {
    root.appending(Self.failureParent).appending(failureFolderName).appending(name.fileName)
  }

  private func path(of name: ThumbnailName, _ size: ThumbnailSize) -> FilePath {
    path(of: size).appending(name.fileName)
  }

  // MARK: Writing

  /// Stores a thumbnail for all programs.
  /// - Parameters:
  ///   - picture: the whole image, upright and in sRGB; it is reduced to the size of the thumbnail.
  ///   - subject: the file as it was before it was read.
  ///   - sourceSize: the upright size of the original in pixels.
  package func keep(
    _ picture: PixelBuffer, of subject: ThumbnailSubject, sourceSize: PixelSize, as size: ThumbnailSize
  ) throws(ThumbnailError) {
    guard !contains(subject.path) else { throw .isThumbnail }
    let target = sourceSize.scaled(toward: size.box, .aspectFit)
    guard !sourceSize.isEmpty, picture.size.shows(target) else { throw .unfitPicture }
    let name = subject.name
    let words =
      Self.words(subject, name) + [
        ("Thumb::Image::Width", "\(sourceSize.width)"), ("Thumb::Image::Height", "\(sourceSize.height)"),
      ]
    let small = picture.size == target ? picture : Resampler(from: picture.size, to: target)(picture)
    guard let bytes = ThumbnailEncoder.encode(small, words: words) else { throw .notEncoded }
    let path = path(of: name, size)
    try journal.announce(ThumbnailJournal.Entry(size, name.digest)) { () throws(ThumbnailError) in
      try ThumbnailError.refusing(path) { () throws(Errno) in try PrivateFile.write(bytes, to: path) }
    }
    written.withLock { $0 += bytes.count }
  }

  private static func words(
    _ subject: ThumbnailSubject, _ name: ThumbnailName
  ) -> [(keyword: String, text: String)] {
    [
      ("Software", ThumbnailEncoder.software), ("Thumb::URI", name.uri),
      ("Thumb::MTime", "\(subject.modificationTime)"), ("Thumb::Size", "\(subject.fileSize)"),
    ] + (subject.mediaType.map { [("Thumb::Mimetype", $0)] } ?? [])
      + (subject.version.map { [(ThumbnailAttributes.fileKeyword, ThumbnailAttributes.text(of: $0))] } ?? [])
  }

  /// Whether a file is itself a thumbnail, the user's or one in a shared repository.
  private func contains(_ path: FilePath) -> Bool {
    if path.starts(with: root) || path.components.contains(".sh_thumbnails") { return true }
    guard let folder = path.removingLastComponent().resolved, let root = root.resolved else { return false }
    return folder.starts(with: root)
  }

  // MARK: Failures

  /// Records that this version of tpick can't decode the current version of a file.
  /// - Parameter reason: the reason, as text for the user.
  package func recordFailure(of subject: ThumbnailSubject, reason: String) throws(ThumbnailError) {
    try recordFailure(of: subject, words: [("Comment", reason)])
  }

  /// Records that reading the current version of a file stalled in this run.
  ///
  /// The machine may have been the cause, so `failure` reports it only if it happens in several runs.
  /// - Parameter reason: the reason, as text for the user.
  package func recordStall(of subject: ThumbnailSubject, reason: String) throws(ThumbnailError) {
    let count = (failureAttributes(of: subject)?.stalledRuns ?? 0).addingSaturated(1)
    try recordFailure(
      of: subject, words: [("Comment", reason), (ThumbnailAttributes.stalledRunsKeyword, "\(count)")])
  }

  /// The number of stalled runs after which a file is not retried.
  private static let mostStalledRuns = 3

  private func recordFailure(
    of subject: ThumbnailSubject, words: [(keyword: String, text: String)]
  ) throws(ThumbnailError) {
    guard !contains(subject.path) else { throw .isThumbnail }
    let name = subject.name
    let dot = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .black)
    guard let bytes = ThumbnailEncoder.encode(dot, words: Self.words(subject, name) + words)
    else {
      throw .notEncoded
    }
    let path = failurePath(of: name)
    try ThumbnailError.refusing(path) { () throws(Errno) in try PrivateFile.write(bytes, to: path) }
  }

  /// Returns why this version of tpick can't decode the current version of the file; nil if no failure is
  /// recorded.
  package func failure(of subject: ThumbnailSubject) -> String? {
    guard let attributes = failureAttributes(of: subject),
      attributes.stalledRuns.map({ $0 >= Self.mostStalledRuns }) ?? true
    else { return nil }
    return attributes.comment
  }

  private func failureAttributes(of subject: ThumbnailSubject) -> ThumbnailAttributes? {
    let name = subject.name
    let request = ThumbnailRequest(
      longestSide: Self.longestSide(.normal), longestFile: 1 << 16, wantsPicture: false)
    guard let stored = try? stored(failurePath(of: name), request) else { return nil }
    let attributes = ThumbnailAttributes(words: stored.words)
    return attributes.match(subject, name) && attributes.version == subject.version ? attributes : nil
  }
}

extension PixelSize {
  /// Whether an image of this size can be a reduction of one of size `source`, regardless of how its sides
  /// were rounded: some programs require even ones.
  fileprivate func isReduced(from source: PixelSize) -> Bool {
    guard !source.isEmpty, !isEmpty else { return source.isEmpty }
    let (width, height) = (Double(width), Double(height))
    let ratio = Double(source.width) / Double(source.height)
    return min(abs(width - height * ratio), abs(height - width / ratio)) <= 2
  }

  /// Whether an image of this size can be reduced to `target`: same aspect ratio, not smaller.
  fileprivate func shows(_ target: PixelSize) -> Bool {
    guard width >= target.width, height >= target.height else { return false }
    let scaled = scaled(toward: target, .aspectFit)
    return target.width - scaled.width <= 1 && target.height - scaled.height <= 1
  }
}

/// The attributes of a thumbnail (Thumbnail Managing Standard 0.9, "Thumbnail Attributes").
///
/// Other programs may have written them, so they are not trusted.
private struct ThumbnailAttributes: Hashable {
  /// The texts by keyword.
  let words: [String: String]

  var uri: String? { words["Thumb::URI"] }
  /// The comment of the program that wrote it.
  var comment: String? { words["Comment"] }
  /// The number of runs of tpick in which reading the original stalled; nil if the record is not about
  /// stalls.
  var stalledRuns: Int? { number(Self.stalledRunsKeyword) }
  static let stalledRunsKeyword = "Tpick::StalledRuns"
  /// The version of the original, which only tpick's own thumbnails record.
  var version: FileVersion? {
    let numbers = words[Self.fileKeyword]?.split(separator: " ") ?? []
    guard numbers.count == 2, let inode = UInt64(numbers[0]), let time = Int64(numbers[1]) else { return nil }
    return FileVersion(inode: inode, changeTime: time)
  }
  static let fileKeyword = "Tpick::File"
  static func text(of version: FileVersion) -> String { "\(version.inode) \(version.changeTime)" }
  /// The upright size of the original in pixels, if both sides are recorded.
  var sourceSize: PixelSize? {
    guard let width = number("Thumb::Image::Width"), let height = number("Thumb::Image::Height") else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// Whether this is a thumbnail of the file's current version, according to the standard's attributes.
  ///
  /// These attributes, a time in whole seconds and a size, don't suffice: many files have the same ones, and
  /// programs that edit a photo in place may preserve them.
  func match(_ subject: ThumbnailSubject, _ name: ThumbnailName) -> Bool {
    guard uri == name.uri, number("Thumb::MTime") == subject.modificationTime else { return false }
    return words["Thumb::Size"] == nil || number("Thumb::Size") == subject.fileSize
  }

  /// Whether this is tpick's own thumbnail of the file's current version; nil if another program wrote it.
  func isOwn(of subject: ThumbnailSubject) -> Bool? { version.map { $0 == subject.version } }

  private func number(_ keyword: String) -> Int? { words[keyword].flatMap { Int($0) } }
}

/// Encodes thumbnails as PNG, optimized for speed rather than size.
enum ThumbnailEncoder {
  /// The value of the standard's keyword `Software` in tpick's thumbnails.
  static let software = "tpick"

  /// Encodes a PNG file with 8 bits per sample, with an alpha channel only if a pixel is transparent.
  /// - Parameter words: keywords and ASCII texts, which are written before the image data in this order.
  /// - Returns: nil if libspng fails (an empty image, insufficient memory).
  static func encode(_ picture: PixelBuffer, words: [(keyword: String, text: String)]) -> [UInt8]? {
    PNGEncoder.encode(
      picture, effort: .quick, texts: words.map { PNGEncoder.Text($0.keyword, Array($0.text.utf8)) })
  }
}

/// Why a thumbnail was not stored or not removed.
package enum ThumbnailError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is itself a thumbnail.
  case isThumbnail
  /// The image is too small for the thumbnail, or shows only a part of the original.
  case unfitPicture
  /// libspng could not encode the image, mostly because of insufficient memory.
  case notEncoded
  /// A system call failed.
  case refused(FilePath, Errno)

  /// Calls `body`, and converts its error to `refused`.
  static func refusing<Value>(
    _ path: FilePath, _ body: () throws(Errno) -> Value
  ) throws(ThumbnailError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw .refused(path, error)
    }
  }

  package var description: String {
    switch self {
    case .isThumbnail: "it is a thumbnail itself"
    case .unfitPicture: "the picture is too small or not whole"
    case .notEncoded: "the thumbnail can't be encoded"
    case .refused(let path, let cause): "\(path.string): \(cause)"
    }
  }
}
