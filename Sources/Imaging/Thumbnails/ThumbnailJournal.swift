import SystemPackage
import System

/// The list of thumbnails that tpick wrote, by which they are found without opening those of all programs.
///
/// A text file with lines of equal length, one for each thumbnail. A line is written before its thumbnail: a
/// line may have no thumbnail, but every thumbnail has a line. Safe with several processes: a process that
/// writes a thumbnail holds a shared lock, and one that compacts the file an exclusive lock.
struct ThumbnailJournal: Sendable {
  /// One thumbnail.
  struct Entry: Hashable, Sendable {
    var size: ThumbnailSize
    /// The file name without its extension: 32 hexadecimal digits.
    var digest: String

    init(_ size: ThumbnailSize, _ digest: String) {
      self.size = size
      self.digest = digest
    }

    /// Creates the entry for a file name; nil if it is not a thumbnail's name according to the standard.
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

  /// The maximum size of a journal in bytes: 4 million thumbnails.
  private static let longest = 128 << 20

  /// The line that marks a journal as complete: it also lists the thumbnails that are older than the journal.
  private static let mark = String(repeating: "=", count: 33) + "\n"

  /// Reads the entries without duplicates, and whether the journal is complete.
  func read() -> (entries: [Entry], isComplete: Bool) {
    let text = String(decoding: PrivateFile.read(path, limit: Self.longest) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n")
    var seen: Set<Entry> = []
    // Skip invalid lines: a crash may have truncated one.
    let entries = lines.compactMap { Entry(line: $0) }.filter { seen.insert($0).inserted }
    return (entries, lines.contains(Self.mark.dropLast()))
  }

  private func open(_ flags: Int32) throws(ThumbnailError) -> Int32 {
    try ThumbnailError.refusing(path) { () throws(Errno) in try PrivateFile.open(path, flags) }
  }

  /// Adds an entry, then writes its thumbnail.
  func announce(
    _ entry: Entry, writing: () throws(ThumbnailError) -> Void = {}
  ) throws(ThumbnailError) {
    let file = FileLock(owning: try open(O_WRONLY | O_CREAT | O_APPEND))
    // Without file locks, the worst case is an unlisted thumbnail.
    file.lock(.shared)
    if let failure = PrivateFile.write(Array(entry.line.utf8), to: file.descriptor) {
      throw .refused(path, failure)
    }
    try writing()
  }

  /// Removes entries, while no process is writing a thumbnail.
  /// - Parameters:
  ///   - isComplete: whether the journal now lists all thumbnails that tpick wrote; nil = unchanged.
  ///   - isGone: whether to remove an entry; also called for entries that other processes have added.
  func compact(isComplete: Bool? = nil, removing isGone: (Entry) -> Bool) throws(ThumbnailError) {
    let file = FileLock(owning: try open(O_RDWR | O_CREAT))
    file.lock()
    let found = read()
    let lines = found.entries.filter { !isGone($0) }.map(\.line)
    let mark = isComplete ?? found.isComplete ? [Self.mark] : []
    // Rewrite in place, which needs no disk space. An interruption leaves duplicate lines, but no missing
    // ones.
    let bytes = Array((lines + mark).joined().utf8)
    if let failure = PrivateFile.write(bytes, to: file.descriptor) { throw .refused(path, failure) }
    guard ftruncate(file.descriptor, bytes.count) == 0 else { throw .refused(path, Errno(rawValue: errno)) }
  }
}
