import AssetLibrary
import SystemPackage

/// Prints results: exact bytes with a terminator after each, or JSON.
struct ResultPrinter {
  /// The output formats.
  enum Format: String, CaseIterable {
    case paths, uris, ids, json, jsonl
  }

  private let format: Format
  private let isNulTerminated: Bool
  private let paths: PathStyle
  /// Where the results go; nil = standard output.
  private let file: OutputFile?

  /// - Throws: `Failure` for an unknown format, a JSON format with `--print0`, or a file that can't be written.
  init(_ arguments: LibraryArguments) throws(Failure) {
    let word = arguments.format
    guard let format = Format(rawValue: word?.lowercased() ?? Format.paths.rawValue) else {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--format: unknown format '\(word ?? "")'; formats are \(names)")
    }
    if arguments.print0, format == .json || format == .jsonl {
      throw .usage("--print0: \(format.rawValue) is not NUL-separated")
    }
    self.format = format
    isNulTerminated = arguments.print0
    paths = try PathStyle(isAbsolute: arguments.absolute, relativeTo: arguments.relativeTo)
    let output = arguments.output.flatMap { ["-", "/dev/stdout"].contains($0) ? nil : $0 }
    file = try output.map { word throws(Failure) in
      try OutputFile(FilePath(bytes: ArgumentBytes.bytes(word)))
    }
  }

  /// Whether names with line breaks are unambiguous in this output.
  var acceptsLineBreaks: Bool { isNulTerminated || format != .paths }

  /// Whether an asset's name can be printed.
  func canPrint(_ asset: Asset) -> Bool {
    acceptsLineBreaks
      || !(asset.primaryResource.map { paths.bytes(of: $0.path) }?.contains { $0 == 0x0A || $0 == 0x0D }
        ?? false)
  }

  /// Prints results while iterating lazily, so that memory use does not depend on their number.
  /// - Throws: `Failure` if standard output can't be written.
  func print(_ assets: some Sequence<Asset>) throws(Failure) {
    var output = OutputBuffer(file: try file?.begin())
    let isTerminal = file == nil && StandardStream.output.isTerminal
    var isFirst = true
    if format == .json { try output.append(Array("{\"assets\":[".utf8)) }
    for asset in assets {
      switch format {
      case .json:
        try output.append(
          (isFirst ? [] : [UInt8(ascii: ",")]) + AssetDocument.line(AssetDocument(asset, paths: paths)))
      case .jsonl: try output.append(AssetDocument.line(AssetDocument(asset, paths: paths)) + [0x0A])
      case .paths, .uris, .ids:
        let item = item(for: asset)
        try output.append((isTerminal ? OutputText.escaped(item) : item) + [isNulTerminated ? 0 : 0x0A])
      }
      isFirst = false
    }
    if format == .json { try output.append(Array("],\"version\":1}\n".utf8)) }
    try output.finish()
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
    case .paths, .json, .jsonl: asset.primaryResource.map { paths.bytes(of: $0.path) } ?? []
    }
  }
}

/// Buffers what goes to standard output or into a file.
private struct OutputBuffer {
  private static let size = 1 << 16
  private let file: OutputFile.Writing?
  private var bytes: [UInt8] = []

  init(file: OutputFile.Writing?) {
    self.file = file
  }

  mutating func append(_ more: [UInt8]) throws(Failure) {
    bytes += more
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes what is left; a file is complete then.
  mutating func finish() throws(Failure) {
    try flush()
    try file?.finish()
  }

  private mutating func flush() throws(Failure) {
    if let file {
      try file.write(bytes)
    } else {
      guard StandardStream.output.write(bytes) else { throw .error("standard output: can't be written") }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
