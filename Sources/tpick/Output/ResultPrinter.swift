import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary
import Results
import SystemPackage

/// Prints results: exact bytes with a terminator after each, JSON, or by a template.
struct ResultPrinter: Sendable {
  private let format: ResultFormat
  private let isNulTerminated: Bool
  private let paths: PathStyle
  /// The output file; nil = standard output.
  private let file: OutputFile?
  /// Whether nothing is printed.
  private let isSilent: Bool
  /// Whether all files of an asset are printed rather than only the primary one.
  private let printsAllFiles: Bool

  /// - Parameters:
  ///   - isSilent: whether nothing is printed, because a command gets the results.
  ///   - remotes: the default form of paths of photos on servers.
  /// - Throws: `Failure` for an unknown format, a JSON format with `--print0`, or a file that can't be
  ///   written.
  init(
    _ arguments: LibraryArguments, isSilent: Bool = false, remotes: RemotePaths
  ) throws(Failure) {
    self.isSilent = isSilent
    // For copies, only the primary file is printed.
    printsAllFiles = arguments.copies.resources == .all && arguments.copies.export == nil
    format = try ResultFormat(arguments.format, fields: arguments.fields)
    if arguments.print0, format.isJSON {
      let name = if case .json = format { "json" } else { "jsonl" }
      throw .usage("--print0: \(name) is not NUL-separated")
    }
    isNulTerminated = arguments.print0
    paths = try PathStyle(
      isAbsolute: arguments.absolute, relativeTo: arguments.relativeTo, remotes: arguments.paths ?? remotes)
    let output = arguments.output.flatMap { ["-", "/dev/stdout"].contains($0) ? nil : $0 }
    file = try output.map { word throws(Failure) in
      try OutputFile(try RemoteWord.writtenPath(word, of: "--output", kind: nil))
    }
  }

  /// Whether the output is a single document with all results.
  var printsDocument: Bool { if case .json = format { true } else { false } }

  /// Whether names with line breaks are unambiguous in this output.
  var acceptsLineBreaks: Bool { isSilent || format.acceptsLineBreaks(isNulTerminated: isNulTerminated) }

  /// Whether the output contains local paths, so that originals must be downloaded.
  var needsOriginals: Bool {
    switch format {
    case .uris, .ids: false
    case .paths, .json, .jsonl, .template: printsLocalPaths
    }
  }

  /// Whether photos on servers are printed as the local paths of their originals.
  var printsLocalPaths: Bool { paths.remotes == .local }

  /// The printed path of an asset's file.
  func path(of asset: Asset) -> [UInt8] { asset.primaryResource.map(paths.bytes) ?? [] }

  /// The paths of the files of an asset to print.
  func paths(of asset: Asset) -> [[UInt8]] { files(of: asset).map(path) }

  /// Whether an asset's names can be printed.
  func canPrint(_ asset: Asset) -> Bool {
    acceptsLineBreaks || !paths(of: asset).joined().contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Copies of an asset, one for each of its files to print, with that file as the primary one.
  private func files(of asset: Asset) -> [Asset] {
    guard printsAllFiles else { return [asset] }
    var seen: Set<FilePath> = []
    // Resources within another file are not listed separately.
    let files = asset.resources.enumerated().filter { index, resource in
      seen.insert(resource.path).inserted && (index == 0 || resource.byteRange == nil)
    }
    if files.count < 2 { return [asset] }
    return files.map { index, resource in
      var file = asset
      file.resources.remove(at: index)
      file.resources.insert(resource, at: 0)
      return file
    }
  }

  /// The records to print for an asset: one for each of its files if the format names files, else one.
  private func records(of asset: Asset) -> [Asset] {
    switch format {
    case .paths, .uris: files(of: asset)
    case .template(let template): template.namesFiles ? files(of: asset) : [asset]
    case .ids, .json, .jsonl: [asset]
    }
  }

  /// Prints results while iterating lazily, so that memory use does not depend on their number.
  /// - Parameters:
  ///   - reader: provides properties that are not in the index.
  ///   - key: the name of the key that ended the picker, empty for Enter; nil if the caller expects no keys.
  /// - Throws: `Failure` if standard output can't be written.
  func print(
    _ assets: some Sequence<Asset>, from reader: RecordReader, key: String? = nil
  ) throws(Failure) {
    if isSilent { return }
    var output = OutputBuffer(file: try file?.begin())
    let isTerminal = file == nil && StandardStream.output.isTerminal
    let escape: ([UInt8]) -> [UInt8] = isTerminal ? OutputText.escaped : { $0 }
    let record = format.records(from: reader) { [paths] in paths.bytes(of: $0) }
    var isFirst = true
    if case .json = format {
      try output.append(Array("{\"assets\":[".utf8))
    } else if let key {
      try output.append(line(of: key))
    }
    for asset in assets.lazy.flatMap({ self.records(of: $0) }) {
      switch format {
      case .json(let fields):
        try output.append(
          (isFirst ? [] : [UInt8(ascii: ",")]) + JSONText.line(AssetDocument(record(asset), fields)))
      case .jsonl(let fields):
        try output.append(JSONText.line(AssetDocument(record(asset), fields)) + [0x0A])
      case .template(let template):
        try output.append(
          template.bytes(of: record(asset), isNulTerminated: isNulTerminated, escape: escape))
      case .paths: try output.append(escape(record(asset).path) + terminator)
      case .uris: try output.append(Array(FileURI.text(for: asset).utf8) + terminator)
      case .ids: try output.append(Array(asset.localIdentifier.rawValue.utf8) + terminator)
      }
      isFirst = false
    }
    if case .json = format {
      try output.append([UInt8(ascii: "]")])
      if let key { try output.append(Array(",\"key\":".utf8) + JSONText.line(key)) }
      try output.append(Array(",\"version\":1}\n".utf8))
    }
    try output.finish()
  }

  /// Prints one of several successive selections, followed by an empty item, except in JSON.
  /// - Throws: `Failure` if standard output can't be written.
  func report(_ assets: [Asset], from reader: RecordReader) throws(Failure) {
    try print(assets, from: reader)
    if case .json = format { return }
    guard StandardStream.output.write(terminator) else {
      throw .error("standard output: can't be written")
    }
  }

  /// The name of a key as the first item.
  private func line(of key: String) throws(Failure) -> [UInt8] {
    if case .jsonl = format { return try JSONText.line(["key": key]) + [0x0A] }
    return Array(key.utf8) + terminator
  }

  /// The terminator of an item.
  private var terminator: [UInt8] {
    if case .template(let template) = format, template.endsWithNUL { return [0] }
    return [isNulTerminated ? 0 : 0x0A]
  }
}

/// Buffers output to standard output or a file.
private struct OutputBuffer {
  static let size = 1 << 16
  private let file: OutputFile.Writing?
  private var bytes: [UInt8] = []

  init(file: OutputFile.Writing?) {
    self.file = file
  }

  mutating func append(_ more: [UInt8]) throws(Failure) {
    bytes += more
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes the rest; a file is complete afterwards.
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

/// The form of paths of photos on servers, the same for a whole run.
enum RemotePaths: String, CaseIterable, ExpressibleByArgument {
  /// Their addresses on the server.
  case remote
  /// The local paths of their originals, which are downloaded for this.
  case local

  static let help = ArgumentHelp(
    "How photos on servers are printed: remote (nas:Photos/a.jpg) or local (the paths of their originals, which are downloaded). Default: remote in list, else local.",
    valueName: "where")
}

/// The style of printed paths.
private struct PathStyle: Sendable {
  private enum Base {
    /// As the sources were given.
    case given
    /// Absolute.
    case absolute
    /// Relative to a resolved folder.
    case relative(to: FilePath)
  }

  private let base: Base
  let remotes: RemotePaths

  /// - Throws: `Failure` if both options are given, or if the folder does not exist.
  init(isAbsolute: Bool, relativeTo folder: String?, remotes: RemotePaths) throws(Failure) {
    self.remotes = remotes
    guard let folder else {
      base = isAbsolute ? .absolute : .given
      return
    }
    if isAbsolute { throw .usage("--absolute and --relative-to: can't be used together") }
    let path = FilePath(bytes: ArgumentBytes.bytes(folder))
    guard MountProbes.shared.answers(path), let base = path.resolved, (try? base.stat())?.type == .directory
    else {
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      throw .error("--relative-to: \(name): no such folder")
    }
    self.base = .relative(to: base)
  }

  /// The path of a file in this style.
  func bytes(of resource: AssetResource) -> [UInt8] {
    if let address = resource.remoteAddress, remotes == .remote { return Array(address.utf8) }
    let path = resource.path
    return switch base {
    case .given: path.bytes
    case .absolute: path.absolute.bytes
    case .relative(let base): Self.relative(path, to: base).bytes
    }
  }

  /// The path relative to a resolved folder; the folders of the file are resolved, but not the file itself.
  private static func relative(_ path: FilePath, to base: FilePath) -> FilePath {
    let whole = path.absolute
    let parent = whole.removingLastComponent()
    guard let name = whole.lastComponent, MountProbes.shared.answers(parent), let folder = parent.resolved
    else {
      return whole
    }
    let (from, to) = (Array(base.components), Array(folder.components) + [name])
    let shared = zip(from, to).prefix { $0 == $1 }.count
    var relative = FilePath()
    for _ in shared..<from.count { relative.append("..") }
    relative.append(to[shared...])
    return relative
  }
}
