package import AssetLibrary
package import SystemPackage
import System

/// The bytes of a stream, kept in a file without a name while this exists, so that they can be read at any place.
///
/// Little of them is in memory at a time. Nobody else can open the file, and it is gone with the process, however that ends.
package final class SpooledFile: Sendable {
  private static let chunkSize = 1 << 18

  private let descriptor: Int32

  /// The folders that did not take it, in their order, each with the reason.
  package let refusals: [AssetError]

  /// Where this process can open the file.
  package var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

  /// Reads a stream to its end.
  /// - Parameters:
  ///   - input: stays the caller's, and open.
  ///   - limit: the most bytes that are taken.
  ///   - folders: where there may be room for them: the first one that takes them all.
  /// - Throws: `AssetError` with "standard input" as its subject: if the stream can't be read, is empty or longer than the
  ///   limit, or if there is no room in any of the folders.
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

  deinit { close(descriptor) }

  /// - Parameter take: gets the bytes in order.
  /// - Returns: how many bytes there were.
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
        throw AssetError("standard input", "holds more than \(limit >> 20) MiB; save it to a file first")
      }
      try take(buffer[..<count])
    }
  }

  /// The file while it is written, in the first folder that takes it.
  private struct Spool {
    private(set) var descriptor: Int32 = -1
    /// Those that were not tried yet, the next one last.
    private var folders: [FilePath]
    private var folder: FilePath = ""
    /// Why the folders before were of no use.
    private(set) var refusals: [AssetError] = []
    private var count = 0

    init(_ folders: [FilePath]) {
      // One that is named twice has no more room.
      self.folders = folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.reversed()
    }

    /// Writes bytes at the end; where there is no room for them, at the end of a copy in another folder.
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

    /// Goes to the next folder that takes what was written so far.
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
        "there is no room to keep it (\(reasons)); set TMPDIR to a folder that has room, or save it to a file first"
      )
    }

    private mutating func makeFile() throws {
      var template = Array(folder.appending("tpick-XXXXXX").bytes.map { CChar(bitPattern: $0) }) + [0]
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw Errno(rawValue: errno) }
      unlink(template)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Copies what another file has of the stream.
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
