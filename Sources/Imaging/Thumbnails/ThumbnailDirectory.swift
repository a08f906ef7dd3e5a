import AssetLibrary
package import CodecProtocol
package import Pixels
import Synchronization
import System
package import SystemPackage

/// The user's thumbnails on disk, which all programs share.
///
/// Source: Thumbnail Managing Standard 0.9. Every file is mode 0600 in folders of mode 0700, so that nobody reads
/// in a thumbnail what the original keeps from them. Calls may come from any thread and any number of processes;
/// each of them works on the disk while it lasts.
package final class ThumbnailDirectory: Sendable {
  /// The folder of all thumbnails, `$XDG_CACHE_HOME/thumbnails`.
  package let root: FilePath
  let journal: ThumbnailJournal
  /// Locked while somebody cleans up; its time is that of the last clean-up.
  let stamp: FilePath
  /// The name of the folder of this version's failures.
  let failureFolderName: String
  /// Reads what lies there: any program of the user may have written it.
  private let reader: ReaderClient
  /// Bytes written since this process cleaned up.
  let written = Mutex(0)

  /// - Parameters:
  ///   - root: the folder of all thumbnails; made when the first is kept.
  ///   - state: the program's own folder in the cache, for the list of thumbnails that it wrote.
  ///   - version: of the program: another one may read what this one could not.
  ///   - reader: the helper that reads thumbnails.
  package init(root: FilePath, state: FilePath, version: String, reader: ReaderClient = .standard) {
    self.reader = reader
    self.root = root.absolute
    journal = ThumbnailJournal(path: state.absolute.appending("thumbnails.journal"))
    stamp = state.absolute.appending("thumbnails.cleaned")
    failureFolderName = "\(Self.failurePrefix)\(version)"
  }

  /// How the names of our folders of failures begin, whatever the version.
  static let failurePrefix = "tpick-"

  /// The folder in which every program has one for its failures.
  static let failureParent = "fail"

  // MARK: Reading

  /// A thumbnail of the file as it is now, from any program; nil where there is none that is large enough.
  ///
  /// The smallest that will do is taken. It may be smaller than what was asked for only where it says that the
  /// original is no larger itself.
  /// - Parameters:
  ///   - size: that of the whole upright picture as it is wanted, in pixels.
  ///   - sourceSize: that of the upright original, whose proportions a thumbnail of another program has to have; nil = any.
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
    // Another program's does not say which state of the file it shows: one that was there before the file's last change
    // may show what was there then.
    let isCurrent =
      attributes.isOwn(of: subject)
      ?? (stored.modified > subject.version?.changeTime ?? .min
        && sourceSize.map(picture.size.isReduced) ?? true)
    guard isCurrent, attributes.match(subject, name),
      picture.size.longerSide >= min(side, attributes.sourceSize?.longerSide ?? .max)
    else { return nil }
    return Thumbnail(picture: picture, size: size, sourceSize: attributes.sourceSize)
  }

  /// Some programs take a size for that of the shorter side.
  private static func longestSide(_ size: ThumbnailSize) -> Int { size.side * 2 }

  private static let longestText = 1 << 20

  /// A file of thumbnails as the helper read it.
  private struct Stored {
    var words: [String: String]
    var picture: DecodedPicture?
    /// When it was written, in nanoseconds since 1970.
    var modified: Int64
  }

  /// What the helper reads in a file; nil where there is none.
  private func stored(_ path: FilePath, _ request: ThumbnailRequest) throws(CodecError) -> Stored? {
    guard let file = PrivateFile.open(path, limit: request.longestFile) else { return nil }
    defer { close(file.descriptor) }
    let (words, picture) = try reader.thumbnail(of: file.descriptor, request)
    return Stored(words: words, picture: picture, modified: file.modified)
  }

  /// The folder of the thumbnails of a size.
  func path(of size: ThumbnailSize) -> FilePath { root.appending(size.folderName) }

  /// Where the failure of this version is remembered.
  private func failurePath(of name: ThumbnailName) -> FilePath {
    root.appending(Self.failureParent).appending(failureFolderName).appending(name.fileName)
  }

  private func path(of name: ThumbnailName, _ size: ThumbnailSize) -> FilePath {
    path(of: size).appending(name.fileName)
  }

  // MARK: Writing

  /// Keeps a thumbnail for all programs.
  /// - Parameters:
  ///   - picture: the whole picture, upright, in sRGB; what is larger than the thumbnail is scaled down.
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

  /// Whether a file lies among the thumbnails, the user's or those of a shared repository.
  private func contains(_ path: FilePath) -> Bool {
    if path.starts(with: root) || path.components.contains(".sh_thumbnails") { return true }
    guard let folder = path.removingLastComponent().resolved, let root = root.resolved else { return false }
    return folder.starts(with: root)
  }

  // MARK: Failures

  /// Remembers that a file, as it is now, is no picture that this version can show.
  /// - Parameter reason: why, in words for the user.
  package func recordFailure(of subject: ThumbnailSubject, reason: String) throws(ThumbnailError) {
    try recordFailure(of: subject, words: [("Comment", reason)])
  }

  /// Remembers that reading a file, as it is now, stalled in this run.
  ///
  /// The machine may have been the cause: only where it happens in several runs `failure` tells it.
  /// - Parameter reason: why, in words for the user.
  package func recordStall(of subject: ThumbnailSubject, reason: String) throws(ThumbnailError) {
    let count = (failureAttributes(of: subject)?.stalledRuns ?? 0).addingSaturated(1)
    try recordFailure(
      of: subject, words: [("Comment", reason), (ThumbnailAttributes.stalledRunsKeyword, "\(count)")])
  }

  /// A file that stalled in so many runs is not tried again.
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

  /// Why this version failed on the file as it is now; nil where it did not.
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
  /// Whether a picture of this size can be the whole of one of `source` pixels in another size, whichever way its sides
  /// were rounded: some programs need even ones.
  fileprivate func isReduced(from source: PixelSize) -> Bool {
    guard !source.isEmpty, !isEmpty else { return source.isEmpty }
    let (width, height) = (Double(width), Double(height))
    let ratio = Double(source.width) / Double(source.height)
    return min(abs(width - height * ratio), abs(height - width / ratio)) <= 2
  }

  /// Whether a picture of this size can show all of one of `target` pixels: the same shape, no smaller.
  fileprivate func shows(_ target: PixelSize) -> Bool {
    guard width >= target.width, height >= target.height else { return false }
    let scaled = scaled(toward: target, .aspectFit)
    return target.width - scaled.width <= 1 && target.height - scaled.height <= 1
  }
}

/// What a thumbnail says of its original (Thumbnail Managing Standard 0.9, "Thumbnail Attributes").
///
/// Made by other programs too, and so not to be trusted.
private struct ThumbnailAttributes: Hashable {
  /// Texts by their keywords.
  let words: [String: String]

  var uri: String? { words["Thumb::URI"] }
  /// What the program that wrote it has to say.
  var comment: String? { words["Comment"] }
  /// In how many runs of tpick reading the original stalled; nil where that is not what the entry is about.
  var stalledRuns: Int? { number(Self.stalledRunsKeyword) }
  static let stalledRunsKeyword = "Tpick::StalledRuns"
  /// Which state of which file it is of, as tpick's own tell it.
  var version: FileVersion? {
    let numbers = words[Self.fileKeyword]?.split(separator: " ") ?? []
    guard numbers.count == 2, let inode = UInt64(numbers[0]), let time = Int64(numbers[1]) else { return nil }
    return FileVersion(inode: inode, changeTime: time)
  }
  static let fileKeyword = "Tpick::File"
  static func text(of version: FileVersion) -> String { "\(version.inode) \(version.changeTime)" }
  /// The upright size of the original in pixels, where both sides are told.
  var sourceSize: PixelSize? {
    guard let width = number("Thumb::Image::Width"), let height = number("Thumb::Image::Height") else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// Whether this is a thumbnail of the file as it is now, as far as the standard's words tell.
  ///
  /// They are a whole second and a size, which many files have in common, and which programs keep that change a photo in
  /// place.
  func match(_ subject: ThumbnailSubject, _ name: ThumbnailName) -> Bool {
    guard uri == name.uri, number("Thumb::MTime") == subject.modificationTime else { return false }
    return words["Thumb::Size"] == nil || number("Thumb::Size") == subject.fileSize
  }

  /// Whether it is one of tpick's own of the file as it is now; nil where it is another program's.
  func isOwn(of subject: ThumbnailSubject) -> Bool? { version.map { $0 == subject.version } }

  private func number(_ keyword: String) -> Int? { words[keyword].flatMap { Int($0) } }
}

/// Encodes thumbnails as PNG, quickly rather than small.
enum ThumbnailEncoder {
  /// What the standard's keyword `Software` says of thumbnails from here.
  static let software = "tpick"

  /// Bytes of a PNG file, eight bits a sample, with an alpha channel only where something shines through.
  /// - Parameter words: keywords and texts in ASCII, written before the picture in their order.
  /// - Returns: nil when libspng refuses (an empty picture, no memory).
  static func encode(_ picture: PixelBuffer, words: [(keyword: String, text: String)]) -> [UInt8]? {
    PNGEncoder.encode(
      picture, effort: .quick, texts: words.map { PNGEncoder.Text($0.keyword, Array($0.text.utf8)) })
  }
}

/// Why a thumbnail was not kept, or not removed.
package enum ThumbnailError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is a thumbnail itself.
  case isThumbnail
  /// The picture is smaller than the thumbnail would have to be, or shows only a part of the original.
  case unfitPicture
  /// libspng refuses the picture, mostly for want of memory.
  case notEncoded
  /// The system refuses, with its cause.
  case refused(FilePath, Errno)

  /// Calls what may fail on a file.
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
