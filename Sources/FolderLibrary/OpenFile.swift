import AssetLibrary
import Metadata
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// A file open for reading; closed when the last reference goes.
///
/// Sendable because the descriptor never changes and `pread` moves no shared position.
final class OpenFile: ResourceReader {
  private let descriptor: FileDescriptor
  let identity: FileIdentity
  let count: Int
  let modified: AssetDate

  /// Opens a regular file.
  ///
  /// Never blocks on a pipe or a device: anything but a file is refused.
  init(_ path: FilePath) throws(AssetError) {
    do {
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw AssetError(path: path, error)
    }
    let facts: Stat
    do {
      facts = try descriptor.stat()
    } catch {
      try? descriptor.close()  // nothing was written: a failing close loses nothing
      throw AssetError(path: path, error)
    }
    guard facts.type == .regular else {
      try? descriptor.close()
      throw AssetError(path.displayString, "not a file")
    }
    // From here on nothing fails: `deinit` owns the descriptor.
    identity = FileIdentity(facts)
    count = Int(facts.size)
    modified = AssetDate(modificationTimeOf: facts)
  }

  deinit {
    try? descriptor.close()
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      do {
        let n = try descriptor.read(fromAbsoluteOffset: Int64(offset + done), into: rest)
        if n == 0 { break }
        done += n
      } catch {
        throw AssetError("read error", (error as? Errno)?.description ?? "\(error)")
      }
    }
    return done
  }
}

/// The head of a file as the metadata readers ask for it.
struct FileByteSource: ByteSource {
  let file: OpenFile

  func read(at offset: Int, count: Int) throws(AssetError) -> [UInt8] {
    try file.bytes(in: offset..<offset + count)
  }
}

/// Which file it is, whatever its name: device and inode.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
  var linkCount: Int

  init(_ facts: Stat) {
    device = UInt64(facts.deviceID.rawValue)
    inode = UInt64(facts.inode.rawValue)
    linkCount = facts.linkCount
  }

  /// The identifier of the album that a folder is.
  var folderIdentifier: LocalIdentifier { LocalIdentifier("folder.\(localIdentifier)") }

  var localIdentifier: LocalIdentifier {
    LocalIdentifier("\(String(device, radix: 16))-\(String(inode, radix: 16))")
  }
}

extension AssetDate {
  /// The file's date as the clock on this machine's wall showed it.
  init(modificationTimeOf facts: Stat) {
    var seconds = facts.st_mtim.tv_sec
    var local = tm()
    localtime_r(&seconds, &local)
    self.init(
      wallSeconds: Int64(seconds).addingReportingOverflow(Int64(local.tm_gmtoff)).partialValue,
      nanoseconds: Int32(facts.st_mtim.tv_nsec),
      utcOffset: Int32(local.tm_gmtoff))
  }

  init(_ time: CivilTime) {
    self.init(
      year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
      second: time.second, nanosecond: time.nanosecond, utcOffset: time.utcOffset)
  }
}

extension AssetError {
  init(path: FilePath, _ error: any Error) {
    self.init(path.displayString, (error as? Errno)?.description ?? "\(error)")
  }
}

extension FilePath {
  /// The path as text, what is not UTF-8 replaced; for messages, never for opening files.
  var displayString: String { String(decoding: bytes, as: UTF8.self) }
}
