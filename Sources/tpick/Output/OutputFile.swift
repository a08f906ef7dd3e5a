import AssetLibrary
import CursesHost
import FolderLibrary
import Results
import SystemPackage
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// A file that gets the results all at once: until then it stays as it is.
struct OutputFile {
  /// Where a link of that name leads.
  private let target: FilePath
  private let name: String
  /// Whether it is a pipe, a terminal or another device, which is written to as it is.
  private let isDevice: Bool

  /// - Throws: `Failure` if it is a folder, or lies in no folder that can be written.
  init(_ path: FilePath) throws(Failure) {
    name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
    target = path.resolved ?? path
    let type = (try? target.stat())?.type
    if type == .directory { throw .error("--output: \(name): is a folder") }
    // /dev/stdout may lead to a regular file, which is the shell's to replace.
    isDevice =
      type.map { $0 != .regular } ?? false
      || ["/dev", "/proc"].contains { path.absolute.starts(with: FilePath($0)) }
    let folder = target.removingLastComponent()
    let place = isDevice ? target : folder.isEmpty ? FilePath(".") : folder
    guard place.withPlatformString({ access($0, W_OK) }) == 0 else {
      throw .error("--output: \(name): \(Errno(rawValue: errno))")
    }
  }

  /// Begins to write, into another file of the same folder.
  func begin() throws(Failure) -> Writing {
    if isDevice {
      let descriptor = target.withPlatformString { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
      guard descriptor >= 0 else { throw failure() }
      return Writing(descriptor: descriptor, temporary: nil, file: self)
    }
    var template = (target.bytes + Array(".XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure() }
    let temporary = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // As new files get it, or as the file had it.
    let mask = umask(0)
    umask(mask)
    let mode = (try? target.stat())?.permissions.rawValue ?? (0o666 & ~mask)
    fchmod(descriptor, mode)
    return Writing(descriptor: descriptor, temporary: temporary, file: self)
  }

  fileprivate func failure() -> Failure { .error("--output: \(name): \(Errno(rawValue: errno))") }

  /// Takes the place of the file.
  fileprivate func replace(with temporary: FilePath) -> Bool {
    temporary.withPlatformString { from in target.withPlatformString { rename(from, $0) } } == 0
  }

  /// Results on their way into the file; what is not finished is removed.
  final class Writing {
    private let descriptor: Int32
    private var temporary: FilePath?
    private let file: OutputFile

    fileprivate init(descriptor: Int32, temporary: FilePath?, file: OutputFile) {
      self.descriptor = descriptor
      self.temporary = temporary
      self.file = file
    }

    deinit {
      close(descriptor)
      _ = temporary?.withPlatformString { unlink($0) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
      guard DescriptorWriter(descriptor).write(bytes) == .written else { throw file.failure() }
    }

    /// Has the file hold what was written, also after a crash of the system.
    func finish() throws(Failure) {
      guard let temporary else { return }
      guard fsync(descriptor) == 0, file.replace(with: temporary) else { throw file.failure() }
      self.temporary = nil
    }
  }
}
