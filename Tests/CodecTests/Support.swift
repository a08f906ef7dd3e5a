import CodecProtocol
import Fixtures

#if canImport(Glibc)
  import Glibc
#endif

/// An open file without a name, which goes with the last reference.
final class NamelessFile: Sendable {
  let descriptor: Int32

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
}

extension CodecHelper {
  func facts(ofBytes bytes: [UInt8]) throws(CodecError) -> CodecFacts {
    let file = NamelessFile(bytes)
    return try facts(of: file.descriptor)
  }
}
