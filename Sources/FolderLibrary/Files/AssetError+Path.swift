import AssetLibrary
import SystemPackage

extension AssetError {
  init(path: FilePath, _ error: any Error) {
    let cause = error as? Errno
    self.init(
      path.displayString, cause?.description ?? "\(error)",
      isTransient: cause.map(DescriptorLimit.isReached) ?? false)
  }
}

extension FilePath {
  /// The path as text, what is not UTF-8 replaced; for messages, never for opening files.
  var displayString: String { String(decoding: bytes, as: UTF8.self) }
}
