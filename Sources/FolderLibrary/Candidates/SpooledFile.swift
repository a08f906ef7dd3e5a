package import AssetLibrary
package import SystemPackage
import System

/// A stream's bytes in an unnamed temporary file, which allows reading at any offset.
///
/// Only a small part is in memory at a time. Other users can't open the file, and it disappears with the
/// process, however that ends.
package final class SpooledFile: Sendable {
  private static let chunkSize = 1 << 18

  private let descriptor: Int32

  /// The folders in which the file could not be stored, in order, each with the reason.
  package let refusals: [AssetError]

  /// The path under which this process can open the file.
  package var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

  /// Reads a stream to its end.
  /// - Parameters:
  ///   - input: remains owned by the caller, and stays open.
  ///   - limit: the maximum number of bytes.
  ///   - folders: the folders to try; the first one with enough space is used.
  /// - Throws: `AssetError` with the subject "standard input" if the stream can't be read, is empty or
  ///   exceeds the limit, or if no folder has enough space.
  package init(reading input: Int32, limit: Int, folders: [FilePath]) throws(AssetError) {
    var spool = Spool(folders)
    do throws(AssetError) {
      try spool.moveOn()
      let count = try Self.copy(from: input, limit: limit) { chunk throws(AssetError) in
        try spool.write(chunk)
      }
      if count == 0 { throw AssetError("standard input", "is empty; a picture is expected") }
    } catch {
      spool.end()
      throw error
    }
    (descriptor, refusals) = (spool.descriptor, spool.refusals)
  }

  /// Stores bytes.
  ///
  /// Copies of the file get the permission bits of new files, since no other process can open this one.
  /// - Throws: `AssetError` if no folder has enough space.
  package init(_ bytes: [UInt8], folders: [FilePath]) throws(AssetError) {
    var spool = Spool(folders)
    do throws(AssetError) {
      try spool.moveOn()
      try spool.write(bytes[...])
    } catch {
      spool.end()
      throw AssetError("data", error.reason)
    }
    (descriptor, refusals) = (spool.descriptor, spool.refusals)
    fchmod(descriptor, 0o666)
  }

  deinit { close(descriptor) }

  /// - Parameter take: receives the bytes in order.
  /// - Returns: the number of bytes.
  private static func copy(
    from input: Int32, limit: Int, take: (ArraySlice<UInt8>) throws(AssetError) -> Void
  ) throws(AssetError) -> Int {
    var buffer = [UInt8](repeating: 0, count: chunkSize)
    var total = 0
    while true {
      let count = read(input, &buffer, buffer.count)
      if count == 0 { return total }
      if count < 0 {
        switch Errno(rawValue: errno) {
        case .interrupted: continue
        case .resourceTemporarilyUnavailable:
          var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
          _ = poll(&wait, 1, -1)
          continue
        case let cause: throw AssetError("standard input", cause.description)
        }
      }
      total += count
      guard total <= limit else {
        throw AssetError("standard input", "is larger than \(limit >> 20) MiB; save it to a file first")
      }
      try take(buffer[..<count])
    }
  }

  /// The file while it is being written, in the first folder with enough space.
  private struct Spool {
    private(set) var descriptor: Int32 = -1
    /// The folders not tried yet, in reverse order.
    private var folders: [FilePath]
    private var folder: FilePath = ""
    /// Why earlier folders could not be used.
    private(set) var refusals: [AssetError] = []
    private var count = 0

    init(_ folders: [FilePath]) {
      // Trying a folder twice gives no more space.
      self.folders = folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.reversed()
    }

    /// Appends bytes; on failure, moves the file to the next folder.
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(AssetError) {
      while true {
        do {
          try FileDescriptor(rawValue: descriptor).writeAll(bytes)
          count += bytes.count
          return
        } catch {
          refusals.append(AssetError(path: folder, error))
          try moveOn()
        }
      }
    }

    /// Moves the bytes written so far to the next folder that has space for them.
    mutating func moveOn() throws(AssetError) {
      let former = descriptor
      descriptor = -1
      defer { if former >= 0 { close(former) } }
      while let next = folders.popLast() {
        folder = next
        do {
          try makeFile()
          try copy(former)
          return
        } catch {
          end()
          refusals.append(AssetError(path: folder, error))
        }
      }
      let reasons = refusals.map(\.description).joined(separator: "; ")
      throw AssetError(
        "standard input",
        "there is no space to store it (\(reasons)); set TMPDIR to a folder with enough space, or save it to a file first"
      )
    }

    private mutating func makeFile() throws {
      var template = Array(folder.appending("tpick-XXXXXX").bytes.map { CChar(bitPattern: $0) }) + [0]
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw Errno(rawValue: errno) }
      unlink(template)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Copies the bytes written so far from another file.
    private func copy(_ file: Int32) throws {
      var buffer = [UInt8](repeating: 0, count: min(chunkSize, count))
      var offset = 0
      while offset < count {
        let part = pread(file, &buffer, min(buffer.count, count - offset), off_t(offset))
        guard part > 0 else { throw part == 0 ? Errno.ioError : Errno(rawValue: errno) }
        try FileDescriptor(rawValue: descriptor).writeAll(buffer[..<part])
        offset += part
      }
    }

    mutating func end() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }
}
