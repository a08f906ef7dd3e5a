import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import System
import SystemPackage

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
  static let mostFiles = min(MetadataClient.mostFiles, max(1, (DescriptorLimit.count - 64) / 16))

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
    by helper: MetadataClient, isCancelled: @escaping () -> Bool
  ) -> [Result<FileFinding?, AssetError>]? {
    var reports: [Result<MediaReport, CodecError>] = []
    if !files.isEmpty {
      reports = helper.reports(on: files, isCancelled: isCancelled) {
        [files] file, wire throws(WireError) in
        try MediaReport(from: &wire, to: files[file].request)
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

/// What a look into one file told.
struct FileFinding {
  enum Content {
    /// A medium. The facts are nil where only the codec helper can tell them.
    ///
    /// Facts are large: they are passed on by reference.
    indirect case media(FileFormat, MediaFacts?)
    /// It promises a medium, by its first bytes or its name, and is none; the reason as words after a colon.
    case broken(String)
    /// An XMP sidecar's facts.
    indirect case sidecar(MediaFacts)
    /// A companion that is known by its name alone.
    case adjustment
    case nothing
  }

  var name: FileName
  /// The index of the file among the names of its folder.
  var index: Int
  var status: file_status
  var content: Content
  /// Why the helper could not look into the file for the moment; the content is then what the name promises.
  var failure: CodecError?
  /// In how many runs a helper stalled on the file.
  var stalledRuns: UInt8 = 0
  /// Whether the file is on a server and nothing of it was read yet.
  var isAwaited = false

  /// Whether facts are still to come from the codec helper.
  var needsHelper: Bool {
    if failure == nil, !isAwaited, case .media(_, nil) = content { true } else { false }
  }

  /// Whether a further look will tell more.
  var isProvisional: Bool { needsHelper || failure != nil || isAwaited }
}

// What a helper says of the file.
extension FileFinding {
  /// What is asked for.
  var request: ReportRequest {
    ReportRequest(name.part == .sidecar ? .sidecar : .medium, byteCount: Int(clamping: status.size))
  }

  /// Takes the report, which is an answer to `request`.
  /// - Throws: `AssetError` when the file can't be read; its subject is left open.
  mutating func take(_ report: MediaReport) throws(AssetError) {
    switch report {
    case .medium(.media(let format, let facts)): content = .media(format, facts)
    case .medium(.damaged(_, let reason)): content = .broken(reason)
    case .medium(.nothing):
      content =
        FileName.promisesMedium(name.suffix)
        ? .broken(status.size == 0 ? "the file is empty" : "its content is no picture or video") : .nothing
    case .sidecar(let facts): content = .sidecar(facts)
    case .failed(let reason): throw AssetError("", reason)
    case .noMemory: fail(.noMemory)
    // Answers to other questions, which do not come this far.
    case .described, .incomplete: fail(.died)
    }
  }

  /// Notes why there is no report; till there is one the file is what its name promises.
  mutating func fail(_ error: CodecError) {
    failure = error
    content = Self.promise(of: name)
  }

  /// A file on a server, which is what its name promises until something of it was read.
  init(awaiting name: FileName, index: Int, status: file_status) {
    self.init(name: name, index: index, status: status, content: Self.promise(of: name))
    switch (name.part, content) {
    case (.adjustment, _), (.cameraAdjustment, _): content = .adjustment
    case (_, .nothing): break
    default: isAwaited = true
    }
  }

  private static func promise(of name: FileName) -> Content {
    switch name.part {
    case .sidecar: .sidecar(MediaFacts())
    case .plain, .edited, .adjustment, .cameraAdjustment:
      FileFormat(suffix: String(decoding: name.suffix, as: UTF8.self)).map { .media($0, nil) } ?? .nothing
    }
  }
}

extension MediaReport {
  /// Reads an answer to `request`; anything else is an error.
  init(from wire: inout WireReader, to request: ReportRequest) throws(WireError) {
    self = try MediaReport(from: &wire, byteCount: request.byteCount)
    switch (request.kind, self) {
    // Of a file that is all there nothing is missing.
    case (_, .incomplete): if request.present == nil { throw WireError() }
    case (.medium, .medium), (.sidecar, .sidecar), (.foreign, .described), (_, .failed), (_, .noMemory): break
    case (.medium, _), (.sidecar, _), (.foreign, _), (.metadata, _): throw WireError()
    }
  }
}
