import CodecProtocol
import Fixtures

#if canImport(Glibc)
  import Glibc
#endif

/// An open file without a name, which goes with the last reference.
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

  /// Gives the descriptor to a function, while which the file is open.
  func withDescriptor<Result, Failure: Error>(
    _ body: (Int32) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(descriptor)
  }
}

extension [NamelessFile] {
  /// Gives the descriptors to a function, while which the files are open.
  func withDescriptors<Result>(_ body: ([Int32]) throws -> Result) rethrows -> Result {
    try body(map(\.descriptor))
  }
}

extension CodecHelper {
  func facts(ofBytes bytes: [UInt8]) throws(CodecError) -> CodecFacts {
    try NamelessFile(bytes).withDescriptor { (file) throws(CodecError) in try facts(of: file) }
  }
}
