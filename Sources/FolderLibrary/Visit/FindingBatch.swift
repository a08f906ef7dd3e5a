import AssetLibrary
import CPlatform
import CodecProtocol
import Metadata
import SystemPackage
import System

/// Looks into several files of one folder: they are opened here, and read by the helper in one conversation.
///
/// Owns the descriptors until it goes.
struct FindingBatch: ~Copyable {
  private enum Entry {
    /// The finding without its content; the index of its descriptor.
    case opened(FileFinding, Int)
    /// It is known by its name alone, or gone.
    case known(FileFinding?)
    case failed(AssetError)
  }

  /// Files that are open for the helper at once: where few may be, fewer.
  static let mostFiles = min(MetadataHelper.mostFiles, max(1, (DescriptorLimit.count - 64) / 16))

  /// As much as is read of most files.
  private static let headLength = 4096

  private let folder: OpenFolder
  private let names: NameTable
  private var entries: [Entry] = []
  private var files: [ReportedFile] = []

  init(_ names: NameTable, of folder: OpenFolder) {
    (self.names, self.folder) = (names, folder)
    entries.reserveCapacity(Self.mostFiles)
    files.reserveCapacity(Self.mostFiles)
  }

  deinit {
    for file in files { close(file.descriptor) }
  }

  /// Whether these are to be read before another one is opened.
  var isFull: Bool { entries.count >= Self.mostFiles }

  /// Opens the file of an index among the names.
  /// - Returns: whether it was taken; false where no more files may be open as long as these are.
  mutating func open(_ index: Int) -> Bool {
    let attempt = { [names, folder] in
      names.withCString(index) { openat(folder.descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }
    let descriptor = files.isEmpty ? DescriptorLimit.waiting(attempt) : attempt()
    if descriptor < 0 {
      let failure = Errno(rawValue: errno)
      if !files.isEmpty, DescriptorLimit.isReached(failure) { return false }
      entries.append(
        failure == .noSuchFileOrDirectory
          ? .known(nil) : .failed(AssetError(path: folder.path(of: names[index]), failure)))
      return true
    }
    do throws(AssetError) {
      let finding = try finding(index, descriptor)
      switch finding.name.part {
      case .adjustment, .cameraAdjustment:
        close(descriptor)
        entries.append(.known(finding))
      case .sidecar, .plain, .edited:
        // A cold disk answers many questions in the time of one, and the helper reads one file after the other.
        posix_fadvise(descriptor, 0, Self.headLength, POSIX_FADV_WILLNEED)
        entries.append(.opened(finding, files.count))
        files.append(ReportedFile(descriptor, finding.request))
      }
    } catch {
      close(descriptor)
      entries.append(.failed(error))
    }
    return true
  }

  /// Takes a file that is not to be opened.
  mutating func fail(_ error: AssetError) { entries.append(.failed(error)) }

  private func finding(_ index: Int, _ descriptor: Int32) throws(AssetError) -> FileFinding {
    var status = file_status()
    let failure = file_status_of(descriptor, &status)
    guard failure == 0 else {
      throw AssetError(path: folder.path(of: names[index]), Errno(rawValue: failure))
    }
    guard status.mode & S_IFMT == S_IFREG else {
      throw AssetError(folder.path(of: names[index]).displayString, "not a file")
    }
    return FileFinding(name: FileName(names[index]), index: index, status: status, content: .adjustment)
  }

  /// Has the files read.
  /// - Returns: in the order in which they came; nil for one that is gone. Nil where nobody waits any more.
  consuming func read(
    by helper: MetadataHelper, isCancelled: @escaping () -> Bool
  ) -> [Result<FileFinding?, AssetError>]? {
    var reports: [Result<MediaReport, CodecError>] = []
    if !files.isEmpty {
      reports = helper.reports(on: files, isCancelled: isCancelled) { [files] file, bytes, range in
        MediaReport(bytes, range, to: files[file].request)
      }
    }
    guard reports.count == files.count else { return nil }
    var results: [Result<FileFinding?, AssetError>] = []
    results.reserveCapacity(entries.count)
    for entry in entries {
      switch entry {
      case .known(let finding): results.append(.success(finding))
      case .failed(let error): results.append(.failure(error))
      case .opened(var finding, let file):
        do throws(AssetError) {
          switch reports[file] {
          case .success(let report): try finding.take(report)
          case .failure(.unreadable(let reason)): throw AssetError("", reason)
          case .failure(let error): finding.fail(error)
          }
          results.append(.success(finding))
        } catch {
          results.append(
            .failure(AssetError(folder.path(of: names[finding.index]).displayString, error.reason)))
        }
      }
    }
    return results
  }
}
