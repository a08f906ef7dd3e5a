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

  /// Prints all results at once.
  /// - Throws: `Failure` when standard output does not take them.
  func print(_ assets: [Asset]) throws(Failure) {
    var output: [UInt8] = []
    switch format {
    case .json:
      output = try AssetDocument.line(AssetDocument.List(assets: assets.map(AssetDocument.init))) + [0x0A]
    case .jsonl:
      for asset in assets { output += try AssetDocument.line(AssetDocument(asset)) + [0x0A] }
    case .paths, .uris, .ids:
      let isTerminal = StandardStream.output.isTerminal
      for asset in assets {
        let item = item(for: asset)
        output += isTerminal ? OutputText.escaped(item) : item
        output.append(isNulTerminated ? 0 : 0x0A)
      }
    }
    guard StandardStream.output.write(output) else {
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
