import AssetLibrary

/// Prints results: the exact bytes of names, a terminator after each.
struct ResultPrinter {
  var isNulTerminated: Bool

  /// Whether a name can be told from two names in this output.
  func canPrint(_ asset: Asset) -> Bool {
    isNulTerminated
      || !(asset.primaryResource?.path.bytes.contains { $0 == 0x0A || $0 == 0x0D } ?? false)
  }

  /// - Throws: `Failure` when standard output does not take them.
  func print(_ assets: [Asset]) throws(Failure) {
    let isTerminal = StandardStream.output.isTerminal && !isNulTerminated
    var output: [UInt8] = []
    for asset in assets {
      let bytes = asset.primaryResource?.path.bytes ?? []
      output += isTerminal ? OutputText.escaped(bytes) : bytes
      output.append(isNulTerminated ? 0 : 0x0A)
    }
    guard StandardStream.output.write(output) else {
      throw .error("standard output: can't be written")
    }
  }
}
