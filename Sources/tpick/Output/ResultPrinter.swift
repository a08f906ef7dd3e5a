import AssetLibrary

/// Prints results: the exact bytes of names, a terminator after each, or JSON.
struct ResultPrinter {
  /// What is printed of an asset.
  enum Format: String, CaseIterable {
    case paths, uris, ids, json, jsonl
  }

  private let format: Format
  private let isNulTerminated: Bool

  /// - Throws: `Failure` for a format that is not known, or that no NUL can end.
  init(format word: String?, isNulTerminated: Bool) throws(Failure) {
    guard let format = Format(rawValue: word?.lowercased() ?? Format.paths.rawValue) else {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--format: unknown format '\(word ?? "")'; formats are \(names)")
    }
    if isNulTerminated, format == .json || format == .jsonl {
      throw .usage("--print0: \(format.rawValue) has no items that a NUL could end")
    }
    self.format = format
    self.isNulTerminated = isNulTerminated
  }

  /// Whether a name with a line break can be told from two names in this output.
  var acceptsLineBreaks: Bool { isNulTerminated || format != .paths }

  /// Whether an asset's name can be printed.
  func canPrint(_ asset: Asset) -> Bool {
    acceptsLineBreaks
      || !(asset.primaryResource?.path.bytes.contains { $0 == 0x0A || $0 == 0x0D } ?? false)
  }

  /// Prints results one after the other, as they are asked for: a library of any size in little memory.
  /// - Throws: `Failure` when standard output does not take them.
  func print(_ assets: some Sequence<Asset>) throws(Failure) {
    var output = OutputBuffer()
    let isTerminal = StandardStream.output.isTerminal
    var isFirst = true
    if format == .json { try output.append(Array("{\"assets\":[".utf8)) }
    for asset in assets {
      switch format {
      case .json:
        try output.append((isFirst ? [] : [UInt8(ascii: ",")]) + AssetDocument.line(AssetDocument(asset)))
      case .jsonl: try output.append(AssetDocument.line(AssetDocument(asset)) + [0x0A])
      case .paths, .uris, .ids:
        let item = item(for: asset)
        try output.append((isTerminal ? OutputText.escaped(item) : item) + [isNulTerminated ? 0 : 0x0A])
      }
      isFirst = false
    }
    if format == .json { try output.append(Array("],\"version\":1}\n".utf8)) }
    try output.flush()
  }

  /// Prints one of several results in a row: each is ended by an empty item, in JSON by the end of its line.
  /// - Throws: `Failure` when standard output does not take it.
  func report(_ assets: [Asset]) throws(Failure) {
    try print(assets)
    if format == .json { return }
    guard StandardStream.output.write([isNulTerminated ? 0 : 0x0A]) else {
      throw .error("standard output: can't be written")
    }
  }

  private func item(for asset: Asset) -> [UInt8] {
    switch format {
    case .uris: Array(FileURI.text(for: asset).utf8)
    case .ids: Array(asset.localIdentifier.rawValue.utf8)
    case .paths, .json, .jsonl: asset.primaryResource?.path.bytes ?? []
    }
  }
}

/// Standard output, written in large pieces.
private struct OutputBuffer {
  private static let size = 1 << 16
  private var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) throws(Failure) {
    bytes += more
    if bytes.count >= Self.size { try flush() }
  }

  mutating func flush() throws(Failure) {
    guard StandardStream.output.write(bytes) else { throw .error("standard output: can't be written") }
    bytes.removeAll(keepingCapacity: true)
  }
}
