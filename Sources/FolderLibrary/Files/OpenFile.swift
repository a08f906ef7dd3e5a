import AssetLibrary
import CFileStatus
import Metadata
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// A file open for reading; closed when the last reference goes.
///
/// Sendable because the descriptor never changes and `pread` moves no shared position.
final class OpenFile: ResourceReader {
  let handle: FileDescriptor
  let count: Int

  var descriptor: Int32? { handle.rawValue }

  /// Opens a regular file.
  ///
  /// Never blocks on a pipe or a device: anything but a file is refused.
  init(_ path: FilePath) throws(AssetError) {
    do {
      handle = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw AssetError(path: path, error)
    }
    let facts: Stat
    do {
      facts = try handle.stat()
    } catch {
      try? handle.close()  // nothing was written: a failing close loses nothing
      throw AssetError(path: path, error)
    }
    guard facts.type == .regular else {
      try? handle.close()
      throw AssetError(path.displayString, "not a file")
    }
    // From here on nothing fails: `deinit` owns the descriptor.
    count = Int(facts.size)
  }

  deinit {
    try? handle.close()
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      do {
        let n = try handle.read(fromAbsoluteOffset: Int64(offset + done), into: rest)
        if n == 0 { break }
        done += n
      } catch {
        throw AssetError("read error", (error as? Errno)?.description ?? "\(error)")
      }
    }
    return done
  }
}

/// A part of a file as a resource of its own.
struct PartialReader: ResourceReader {
  let whole: OpenFile
  let range: Range<Int>

  var count: Int { max(0, min(range.upperBound, whole.count) - range.lowerBound) }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let length = max(0, min(buffer.count, count - offset))
    return try whole.read(
      at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

/// Which folder it is, whatever its name: device and inode.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// What a path leads to; nil when there is nothing.
  init?(of path: FilePath) {
    var status = file_status()
    guard path.withPlatformString({ file_status_at(AT_FDCWD, $0, 1, &status) }) == 0 else { return nil }
    self.init(device: status.device, inode: status.inode)
  }

  /// The identifier of the album that a folder is.
  var folderIdentifier: LocalIdentifier {
    LocalIdentifier("folder.\(String(device, radix: 16))-\(String(inode, radix: 16))")
  }
}

extension AssetDate {
  /// A file's date as the clock on this machine's wall showed it.
  /// - Parameter fileTime: nanoseconds since 1970, UTC.
  init(fileTime: Int64) {
    var seconds = Int(fileTime >= 0 ? fileTime / 1_000_000_000 : (fileTime - 999_999_999) / 1_000_000_000)
    let nanoseconds = Int32(fileTime - Int64(seconds) * 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    self.init(
      wallSeconds: Int64(seconds) + Int64(local.tm_gmtoff), nanoseconds: nanoseconds,
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// This moment by the clock of UTC.
  static var nowInUTC: AssetDate {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return AssetDate(wallSeconds: Int64(now.tv_sec), nanoseconds: Int32(now.tv_nsec), utcOffset: 0)
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
