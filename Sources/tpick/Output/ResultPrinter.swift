import AssetLibrary

/// Prints results: exact bytes with a terminator after each, or JSON.
struct ResultPrinter {
  /// The output formats.
  enum Format: String, CaseIterable {
    case paths, uris, ids, json, jsonl
  }

  private let format: Format
  private let isNulTerminated: Bool

  /// - Throws: `Failure` for an unknown format, or a JSON format with `--print0`.
  init(format word: String?, isNulTerminated: Bool) throws(Failure) {
    guard let format = Format(rawValue: word?.lowercased() ?? Format.paths.rawValue) else {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--format: unknown format '\(word ?? "")'; formats are \(names)")
    }
    if isNulTerminated, format == .json || format == .jsonl {
      throw .usage("--print0: \(format.rawValue) is not NUL-separated")
    }
    self.format = format
    self.isNulTerminated = isNulTerminated
  }

  /// Whether names with line breaks are unambiguous in this output.
  var acceptsLineBreaks: Bool { isNulTerminated || format != .paths }

  /// Whether an asset's name can be printed.
  func canPrint(_ asset: Asset) -> Bool {
    acceptsLineBreaks
      || !(asset.primaryResource?.path.bytes.contains { $0 == 0x0A || $0 == 0x0D } ?? false)
  }

  /// Prints results while iterating lazily, so that memory use does not depend on their number.
  /// - Throws: `Failure` if standard output can't be written.
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

  /// Prints one of several successive selections, followed by an empty item, except in JSON.
  /// - Throws: `Failure` if standard output can't be written.
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

/// Buffers standard output.
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
