import AssetLibrary
import SystemPackage
import System

/// Writes into the file that a representation becomes.
struct OutputFile {
  private let descriptor: Int32
  /// What is converted, for errors.
  private let subject: String

  init(_ descriptor: Int32, for subject: String) {
    self.descriptor = descriptor
    self.subject = subject
  }

  func write(_ bytes: some Collection<UInt8>) throws(AssetError) {
    var failure: AssetError?
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { storage in
      failure = write(UnsafeRawBufferPointer(storage))
    }
    if isContiguous == nil { failure = Array(bytes).withUnsafeBytes { write($0) } }
    if let failure { throw failure }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> AssetError? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return AssetError(subject, "not copied: \(Errno(rawValue: errno))") }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }
}
