import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import System
import SystemPackage

/// Reads the metadata of several files of one folder: opens them here, and passes them to the helper in one
/// exchange.
///
/// Owns the descriptors until it is destroyed.
struct FindingBatch: ~Copyable {
  private enum Entry {
    /// A finding without its content, and the index of its descriptor.
    case opened(FileFinding, Int)
    /// A file that is classified by name alone, or is gone (nil).
    case known(FileFinding?)
    case failed(AssetError)
  }

  /// The number of files open for the helper at once; fewer if the limit of open files is low.
  static let mostFiles = min(MetadataClient.mostFiles, max(1, (DescriptorLimit.count - 64) / 16))

  /// The number of bytes read of most files.
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

  /// Whether the batch must be read before another file is opened.
  var isFull: Bool { entries.count >= Self.mostFiles }

  /// Opens the file with an index among the names.
  /// - Returns: false if the limit of open files is reached until this batch has been read.
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
        // Cold disks answer many requests in the time of one, while the helper reads one file after the
        // other.
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

  /// Adds a file that must not be opened.
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

  /// Reads the files.
  /// - Returns: the results in the order in which the files were added; a nil element is a file that is gone.
  ///   nil if cancelled.
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

/// The result of reading one file.
struct FileFinding {
  enum Content {
    /// An image or a video.
    ///
    /// The facts are nil if only the codec helper can read them.
    ///
    /// Indirect, since facts are large.
    indirect case media(FileFormat, MediaFacts?)
    /// The first bytes or the name are those of an image or video, but the content is not; the reason as it
    /// appears after a colon.
    case broken(String)
    /// The facts of an XMP sidecar.
    indirect case sidecar(MediaFacts)
    /// A companion file that is classified by name alone.
    case adjustment
    case nothing
  }

  var name: FileName
  /// The index of the file among its folder's names.
  var index: Int
  var status: file_status
  var content: Content
  /// Why the helper could not read the file for the moment; the content is then derived from the name.
  var failure: CodecError?
  /// The number of runs in which a helper stalled on the file.
  var stalledRuns: UInt8 = 0
  /// Whether the file is remote and has not been read yet.
  var isAwaited = false

  /// Whether the codec helper still has to read the file.
  var needsHelper: Bool {
    if failure == nil, !isAwaited, case .media(_, nil) = content { true } else { false }
  }

  /// Whether a later read will provide more data.
  var isUnread: Bool { needsHelper || failure != nil || isAwaited }
}

// Communication with the helper.
extension FileFinding {
  /// The request to the helper.
  var request: ReportRequest {
    ReportRequest(name.part == .sidecar ? .sidecar : .medium, byteCount: Int(clamping: status.size))
  }

  /// Processes the reply to `request`.
  /// - Throws: `AssetError` if the file can't be read; the caller sets its subject.
  mutating func take(_ report: MediaReport) throws(AssetError) {
    switch report {
    case .medium(.media(let format, let facts)): content = .media(format, facts)
    case .medium(.damaged(_, let reason)): content = .broken(reason)
    case .medium(.nothing):
      content =
        FileName.hasMediaExtension(name.suffix)
        ? .broken(status.size == 0 ? "the file is empty" : "its content is no picture or video") : .nothing
    case .sidecar(let facts): content = .sidecar(facts)
    case .failed(let reason): throw AssetError("", reason)
    case .noMemory: fail(.noMemory)
    // Replies to other kinds of requests; must not occur.
    case .described, .incomplete: fail(.died)
    }
  }

  /// Records why there is no reply; until there is one, the content is derived from the name.
  mutating func fail(_ error: CodecError) {
    failure = error
    content = Self.promise(of: name)
  }

  /// Creates the finding of a remote file that has not been read; its content is derived from the name.
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
  /// Decodes the reply to `request`; any other reply is an error.
  init(from wire: inout WireReader, to request: ReportRequest) throws(WireError) {
    self = try MediaReport(from: &wire, byteCount: request.byteCount)
    switch (request.kind, self) {
    // `incomplete` answers only requests about a file of which parts are missing.
    case (_, .incomplete): if request.present == nil { throw WireError() }
    case (.medium, .medium), (.sidecar, .sidecar), (.foreign, .described), (_, .failed), (_, .noMemory): break
    case (.medium, _), (.sidecar, _), (.foreign, _), (.metadata, _), (.captions, _): throw WireError()
    }
  }
}
