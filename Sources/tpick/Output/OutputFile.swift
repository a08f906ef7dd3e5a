import AssetLibrary
import CursesHost
import Dispatch
import Export
import FolderLibrary
import Results
import System
import SystemPackage
import TerminalGraphics

/// A file that receives the results atomically; until then it is unchanged.
struct OutputFile {
  /// The target of the path if it is a link.
  private let target: FilePath
  private let name: String
  /// Whether it is a pipe, a terminal or another device, which is written to directly.
  private let isDevice: Bool

  /// - Throws: `Failure` if it is a folder, if its folder is not writable, or if its disk does not answer.
  init(_ path: FilePath) throws(Failure) {
    name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
    try Self.checkAnswers(path)
    target = path.resolved ?? path
    let type = (try? target.stat())?.type
    if type == .directory { throw .error("--output: \(name): is a folder") }
    // /dev/stdout may be a regular file, whose replacement is up to the shell.
    isDevice =
      type.map { $0 != .regular } ?? false
      || ["/dev", "/proc"].contains { path.absolute.starts(with: FilePath($0)) }
    let place = isDevice ? target : folder
    guard place.withPlatformString({ access($0, W_OK) }) == 0 else {
      throw .error("--output: \(name): \(Errno(rawValue: errno))")
    }
  }

  private static func checkAnswers(_ path: FilePath) throws(Failure) {
    do throws(AssetError) {
      try MountProbes.shared.checkWriting(path)
    } catch {
      throw .error("--output: \(error)")
    }
  }

  private var folder: FilePath {
    let folder = target.removingLastComponent()
    return folder.isEmpty ? FilePath(".") : folder
  }

  /// Begins writing, to a temporary file in the same folder.
  func begin() throws(Failure) -> Writing {
    try Self.checkAnswers(target)
    if isDevice {
      let descriptor = target.withPlatformString { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
      guard descriptor >= 0 else { throw .error("--output: \(name): \(Errno(rawValue: errno))") }
      return Writing(to: .device(descriptor), of: self)
    }
    do throws(AssetError) {
      let folder = try TargetFolder(folder, mode: nil)
      return Writing(to: .file(try NewFile(in: folder, for: name, isCopy: false)), of: self)
    } catch {
      throw .error("--output: \(error)")
    }
  }

  /// The permissions of the existing file, or the defaults for new files.
  private var mode: mode_t { (try? target.stat())?.permissions.rawValue ?? (0o666 & ~NewFile.mask) }

  /// A write in progress; an unfinished file is removed, even if a signal ends the program.
  final class Writing {
    fileprivate enum Destination {
      case device(Int32)
      case file(NewFile)
    }

    private let destination: Destination
    private let file: OutputFile
    private let removal: RemovalAtSignal?

    fileprivate init(to destination: Destination, of file: OutputFile) {
      self.destination = destination
      self.file = file
      // A file without a name disappears without cleanup.
      removal =
        if case .file(let new) = destination { new.hiddenPath.map(RemovalAtSignal.init) } else {
          nil
        }
    }

    deinit {
      if case .device(let descriptor) = destination { close(descriptor) }
      removal?.end()
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
      switch destination {
      case .device(let descriptor):
        guard DescriptorWriter(descriptor).write(bytes) == .written else {
          throw .error("--output: \(file.name): \(Errno(rawValue: errno))")
        }
      case .file(let new):
        do throws(AssetError) {
          try bytes.withUnsafeBufferPointer { bytes throws(AssetError) in
            try new.write(UnsafeRawBufferPointer(bytes))
          }
        } catch {
          throw .error("--output: \(error)")
        }
      }
    }

    /// Replaces the file with the written data, durably.
    func finish() throws(Failure) {
      guard case .file(let new) = destination else { return }
      try OutputFile.checkAnswers(file.target)
      do throws(AssetError) {
        try new.finish(mode: file.mode)
        let name = file.target.bytes.split(separator: UInt8(ascii: "/")).last ?? []
        _ = try new.place(as: Array(name), replaces: true)
      } catch {
        throw .error("--output: \(error)")
      }
    }
  }

  /// Removes a file when a signal ends the program.
  private final class RemovalAtSignal {
    private let sources: [any DispatchSourceSignal]

    init(_ path: FilePath) {
      sources = SignalInbox.ending.filter { !SandboxLauncher.ignoredSignals.contains($0) }.map {
        number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(
          signal: number, queue: .global(qos: .userInitiated))
        source.setEventHandler {
          _ = path.withPlatformString { unlink($0) }
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
        source.resume()
        return source
      }
    }

    /// Restores the previous signal handling.
    func end() {
      for source in sources {
        source.cancel()
        signal(Int32(source.handle), SIG_DFL)
      }
    }
  }
}

extension StandardStream {
  /// F_SETPIPE_SZ, which is not in Swift's view of the C library.
  private static let setPipeSize: Int32 = 1031

  /// Waits until the reader of a pipe has read everything, or has closed it.
  ///
  /// A pipe holds 64 KiB, a thousand paths that a slow reader would process long after they are outdated. With a
  /// capacity of one page it accepts no more data before it is empty (pipe(7), F_SETPIPE_SZ). For other streams, this
  /// waits only while they accept no data.
  func waitUntilTaken() {
    // Fails if an earlier writer has left more than a page in it.
    _ = fcntl(descriptor, Self.setPipeSize, 1)
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&room, 1, -1) < 0, errno == EINTR {}
  }
}

/// Escapes untrusted text for standard output and standard error.
enum OutputText {
  /// The text with escapes such as `\x1B` for characters that affect terminals or begin a line; characters that
  /// represent bytes (`ArgumentBytes`) are escaped as well.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if let byte = ArgumentBytes.strayByte(scalar) {
        escaped += ControlCharacters.escape(byte: byte)
      } else if ControlCharacters.contains(scalar) {
        escaped += ControlCharacters.escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// The same for bytes: invalid UTF-8 is escaped byte by byte.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    Array(escaped(ArgumentBytes.text(bytes)).utf8)
  }

  /// Escapes text that may have several lines, such as a caption, as a single line.
  static func line(_ text: String) -> String {
    escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }
}
