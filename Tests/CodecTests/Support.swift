import CPlatform
import CodecProtocol
import Fixtures
import Metadata
import Pixels
import Glibc

/// An open file without a name, removed with the last reference.
final class NamelessFile: Sendable {
  fileprivate let descriptor: Int32

  init(_ bytes: [UInt8]) {
    var template = Array("\(P_tmpdir)/tpick-codec.XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    _ = pwrite(descriptor, bytes, bytes.count, 0)
  }

  convenience init(_ words: String) {
    self.init(Array(words.utf8))
  }

  deinit {
    close(descriptor)
  }

  /// Calls a function with the descriptor, while the file is kept open.
  func withDescriptor<Result, Failure: Error>(
    _ body: (Int32) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(descriptor)
  }
}

extension [NamelessFile] {
  /// Calls a function with the descriptors, while the files are kept open.
  func withDescriptors<Result>(_ body: ([Int32]) throws -> Result) rethrows -> Result {
    try body(map(\.descriptor))
  }
}

extension CodecClient {
  /// The helper's report on a file.
  func facts(ofBytes bytes: [UInt8]) throws(CodecError) -> MediaFacts {
    try NamelessFile(bytes).withDescriptor { (file) throws(CodecError) in try facts(of: [file])[0].get() }
  }

  /// The helper's reports on open files, in order.
  func facts(of descriptors: [Int32]) -> [Result<MediaFacts, CodecError>] {
    var rest = descriptors[...]
    var results: [Result<MediaFacts, CodecError>] = []
    while !rest.isEmpty {
      let files = rest.prefix(MetadataClient.mostFiles).map { file in
        ReportedFile(file, ReportRequest(.foreign, byteCount: max(0, Int(lseek(file, 0, SEEK_END)))))
      }
      rest = rest.dropFirst(files.count)
      let reports = metadata.reports(on: files) { file, wire throws(WireError) in
        try MediaReport(from: &wire, byteCount: files[file].request.byteCount)
      }
      results += reports.map { report -> Result<MediaFacts, CodecError> in
        switch report {
        case .success(.described(let facts)): .success(facts)
        case .success(.failed(let reason)): .failure(.unreadable(reason))
        case .success(.noMemory): .failure(.noMemory)
        case .success: .failure(.died)
        case .failure(let error): .failure(error)
        }
      }
    }
    return results
  }
}

extension MediaFacts {
  var width: Int { storedSize.width }
  var height: Int { storedSize.height }
}

extension HelperConfinement {
  /// The report of a helper that may receive files.
  static let claimed = HelperConfinement(hasFilter: true, landlock: 1)
}

/// Memory for a picture as tpick shares it; closed with the last reference.
final class LentPicture {
  let descriptor: Int32

  init() throws {
    descriptor = shared_memory_make(4096)
    guard descriptor >= 0 else { throw FixtureError("no memory for a picture") }
  }

  deinit {
    close(descriptor)
  }
}

enum Sanitizer {
  /// Whether this program, and thus its helpers, was built with a sanitizer.
  static let isThere = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// Waits until no process has this number: the library, its parent, has reaped it.
func isGone(_ process: pid_t) -> Bool { eventually { kill(process, 0) != 0 && errno == ESRCH } }
