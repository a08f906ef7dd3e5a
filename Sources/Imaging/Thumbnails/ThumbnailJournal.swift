import SystemPackage
import System

/// The list of thumbnails that tpick wrote, so that they are found among everyone's without opening them all.
///
/// A text file, a line a thumbnail, all lines of one length. Written to before the thumbnail itself: a line may stand
/// for nothing, but no thumbnail is without one. Safe with other processes: whoever writes a thumbnail holds a
/// shared lock, whoever shortens the file the exclusive one.
struct ThumbnailJournal: Sendable {
  /// One thumbnail.
  struct Entry: Hashable, Sendable {
    var size: ThumbnailSize
    /// The name of its file without the extension: 32 hexadecimal digits.
    var digest: String

    init(_ size: ThumbnailSize, _ digest: String) {
      self.size = size
      self.digest = digest
    }

    /// The thumbnail whose file has this name; nil for a name that is none by the standard.
    init?(_ size: ThumbnailSize, fileName: String) {
      guard ThumbnailName.isFileName(fileName) else { return nil }
      self.init(size, String(fileName.dropLast(4)))
    }

    var fileName: String { digest + ".png" }

    fileprivate init?(line: Substring) {
      let letter = line.first.map(String.init) ?? ""
      guard let index = Self.letters.firstIndex(of: letter), ThumbnailName.isDigest(line.dropFirst()) else {
        return nil
      }
      self.init(ThumbnailSize.allCases[index], String(line.dropFirst()))
    }

    fileprivate var line: String {
      (ThumbnailSize.allCases.firstIndex(of: size).map { Self.letters[$0] } ?? "") + digest + "\n"
    }

    private static let letters = ["n", "l", "x", "z"]
  }

  let path: FilePath

  /// The most bytes of a journal: 4 million thumbnails.
  private static let longest = 128 << 20

  /// Says that every thumbnail of ours is listed, those too that were there before the journal was.
  private static let mark = String(repeating: "=", count: 33) + "\n"

  /// What is in the journal: every entry once, and whether that is all of them.
  func read() -> (entries: [Entry], isComplete: Bool) {
    let text = String(decoding: PrivateFile.read(path, limit: Self.longest) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n")
    var seen: Set<Entry> = []
    // What is not to be understood is left out: a crash may have cut a line short.
    let entries = lines.compactMap { Entry(line: $0) }.filter { seen.insert($0).inserted }
    return (entries, lines.contains(Self.mark.dropLast()))
  }

  private func open(_ flags: Int32) throws(ThumbnailError) -> Int32 {
    try ThumbnailError.refusing(path) { () throws(Errno) in try PrivateFile.open(path, flags) }
  }

  /// Adds a thumbnail, and then has it written.
  func announce(
    _ entry: Entry, writing: () throws(ThumbnailError) -> Void = {}
  ) throws(ThumbnailError) {
    let file = FileLock(owning: try open(O_WRONLY | O_CREAT | O_APPEND))
    // Where the file system knows no locks the worst is a thumbnail that is not listed.
    file.lock(.shared)
    if let failure = PrivateFile.write(Array(entry.line.utf8), to: file.descriptor) {
      throw .refused(path, failure)
    }
    try writing()
  }

  /// Leaves out what is gone, at a moment when nobody is about to write a thumbnail.
  /// - Parameters:
  ///   - isComplete: whether all of our thumbnails are listed now; nil = as before.
  ///   - isGone: asked about what other processes have added meanwhile too.
  func compact(isComplete: Bool? = nil, removing isGone: (Entry) -> Bool) throws(ThumbnailError) {
    let file = FileLock(owning: try open(O_RDWR | O_CREAT))
    file.lock()
    let found = read()
    let lines = found.entries.filter { !isGone($0) }.map(\.line)
    let mark = isComplete ?? found.isComplete ? [Self.mark] : []
    // In place, where it needs no room: cut short, it has some lines twice and lacks none.
    let bytes = Array((lines + mark).joined().utf8)
    if let failure = PrivateFile.write(bytes, to: file.descriptor) { throw .refused(path, failure) }
    guard ftruncate(file.descriptor, bytes.count) == 0 else { throw .refused(path, Errno(rawValue: errno)) }
  }
}
