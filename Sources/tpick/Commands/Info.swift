import ArgumentParser
import AssetLibrary
import FolderLibrary
import PhotoPicker
import RemoteLibrary
import Results
import SystemPackage

/// `tpick info FILE ...`: prints the metadata of single assets.
struct Info: Subcommand {
  static let configuration = CommandConfiguration(
    of: .info,
    usage: "tpick info [options] file ...")

  @Argument(
    help: ArgumentHelp(
      "A photo or video, or - for paths on standard input; files may also be file:// URIs or identifiers from --format ids.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: text, json or jsonl, or a template such as '{path}\\t{camera}'. Default: text.",
      valueName: "what"),
    completion: .list(FormatArgument<ListFormat>.names), transform: FormatArgument<ListFormat>.init)
  var format: FormatArgument<ListFormat>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The keys of the JSON formats, comma-separated; all for every key, +camera,lens to add keys to the default ones.",
      valueName: "list"),
    transform: FieldSelection.init(argument:))
  var fields: FieldSelection?

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let format = try InfoFormat(format, fields: fields)
    guard !files.isEmpty else {
      throw .usage("info: expected a file; tpick list prints the files of a folder")
    }
    var words: [SourceWord] = []
    for word in ArgumentFolding.words(files) {
      if word == "-" {
        words += try SourceWord.wordsFromInput(isNulSeparated: read0)
      } else {
        words.append(SourceWord(ArgumentBytes.bytes(word)))
      }
    }
    if words.isEmpty { return .nothing }
    // Only the setting for confined decoding applies here.
    _ = try SettingsFile(settings)
    SourceWord.locate(&words)
    var descriptions: [AssetRecord] = []
    var status = ExitStatus.success
    let library = InfoLibrary(words)
    for word in words {
      do throws(Failure) {
        descriptions.append(try library.record(of: word))
      } catch {
        // The other files are still printed.
        Messages.warn(error.message)
        status = error.status
      }
    }
    let output = try format.output(of: descriptions)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return status
  }
}

/// The output format of `tpick info`.
private enum InfoFormat {
  case text
  /// nil = the default keys and `details`.
  case json(FieldSelection?)
  case jsonl(FieldSelection?)
  case template(ResultTemplate)

  /// - Parameters:
  ///   - format: nil = text.
  ///   - fields: the keys of JSON.
  /// - Throws: `Failure` for fields with a format other than JSON.
  init(_ format: FormatArgument<ListFormat>?, fields: FieldSelection?) throws(Failure) {
    self =
      switch format {
      case nil, .named(.text): .text
      case .named(.json): .json(fields)
      case .named(.jsonl): .jsonl(fields)
      case .template(let template): .template(template)
      }
    switch self {
    case .json, .jsonl: break
    case .text, .template:
      if fields != nil { throw .usage("--fields: requires --format json or jsonl") }
    }
  }

  /// The complete output.
  func output(of records: [AssetRecord]) throws(Failure) -> [UInt8] {
    switch self {
    case .text: return InfoText.text(for: records)
    case .template(let template):
      let escape: ([UInt8]) -> [UInt8] = StandardStream.output.isTerminal ? OutputText.escaped : { $0 }
      return records.flatMap { template.bytes(of: $0, escape: escape) }
    case .json(nil): return try Self.document(records.map(AssetDocument.init(withDetails:)))
    case .json(let fields?): return try Self.document(records.map { AssetDocument($0, fields) })
    case .jsonl(nil): return try Self.lines(records.map(AssetDocument.init(withDetails:)))
    case .jsonl(let fields?): return try Self.lines(records.map { AssetDocument($0, fields) })
    }
  }

  private struct Envelope<Element: Encodable>: Encodable {
    var version = 1
    var assets: [Element]
  }

  private static func document(_ assets: [some Encodable]) throws(Failure) -> [UInt8] {
    try JSONText.line(Envelope(assets: assets)) + [0x0A]
  }

  private static func lines(_ assets: [some Encodable]) throws(Failure) -> [UInt8] {
    var lines: [UInt8] = []
    for asset in assets { lines += try JSONText.line(asset) + [0x0A] }
    return lines
  }
}

/// Formats the metadata as aligned names and values.
private enum InfoText {
  static func text(for records: [AssetRecord]) -> [UInt8] {
    let blocks = records.map { record in
      record.infoLines.map { line, text in
        let padding = String(repeating: " ", count: max(0, 14 - line.label.count))
        // Line breaks in a value must not look like further entries.
        let value = line.isProse ? OutputText.line(text) : OutputText.escaped(text)
        return "\(line.label)\(padding)\(value)\n"
      }.joined()
    }
    return Array(blocks.joined(separator: "\n").utf8)
  }
}

/// The library of the files and those that belong to them.
private struct InfoLibrary {
  private let store: any AssetStore
  private let albums: [LocalIdentifier: [AssetRecord.Album]]
  private var identifiers: [FilePath: LocalIdentifier] = [:]
  private var problems: [String: String] = [:]

  /// Reads the files.
  init(_ words: [SourceWord]) {
    let files = words.compactMap(\.paths.first).filter { (try? Self.check($0)) != nil }
    self.init(files, ServerAddress.outermost(words.compactMap(\.remote)))
  }

  private init(_ files: [FilePath], _ remotes: [ServerAddress] = []) {
    store = LibraryBackend.open(files, isKept: true, includesPartners: true, remotes: remotes)
    store.waitUntilComplete()
    let files = files + remotes.map { FilePath($0.text) }
    for note in store.status.notes { Messages.warn(note) }
    albums = RecordReader(store).albums()
    for (path, found) in zip(files, store.identifiers(at: files)) {
      if let identifier = (try? found.get())?.first { identifiers[path] = identifier }
    }
    for issue in store.status.issues where problems[issue.subject] == nil {
      problems[issue.subject] = issue.reason
    }
  }

  /// The metadata of a file.
  /// - Throws: `Failure` if it is not a photo or video.
  func record(of word: SourceWord) throws(Failure) -> AssetRecord {
    if let remote = word.remote { return try record(of: remote) }
    guard let path = word.paths.first else { throw .error(word.issue?.description ?? "") }
    try Self.check(path)
    let record = try record(of: path)
    // The library names a file once, but each argument is printed as it was given: if the same file was named
    // by another path before, a library of its own has the path of this argument.
    guard record.asset.resources.contains(where: { $0.path == path }) else {
      return try InfoLibrary([path]).record(of: path)
    }
    return record
  }

  private func record(of remote: ServerAddress) throws(Failure) -> AssetRecord {
    let name = remote.publicText
    if problems[name] == nil, identifiers[FilePath(remote.text)] == nil, let issue = store.status.issues.first
    {
      throw .error(issue.description)
    }
    return try record(of: FilePath(remote.text), called: name)
  }

  private func record(of path: FilePath, called name: String? = nil) throws(Failure) -> AssetRecord {
    let name = name ?? String(decoding: path.bytes, as: UTF8.self)
    do throws(AssetError) {
      var options = FetchOptions()
      options.includeHiddenAssets = true
      guard let identifier = identifiers[path],
        let asset = store.assets(withLocalIdentifiers: [identifier], options: options).first
      else { throw AssetError(name, problems[name] ?? "not a picture or video") }
      if let defect = asset.defect { throw AssetError(name, defect) }
      return AssetRecord(asset, details: try store.details(of: asset), albums: albums[asset.id] ?? [])
    } catch {
      throw .error("\(error)")
    }
  }

  /// - Throws: `Failure` if the file does not exist, is a folder, or its disk does not answer.
  private static func check(_ path: FilePath) throws(Failure) {
    let name = String(decoding: path.bytes, as: UTF8.self)
    guard MountProbes.shared.answers(path) else { throw .error("\(Wording.name(name)): does not answer") }
    let type: FileType
    do {
      type = try path.stat().type
    } catch {
      throw .error("\(Wording.name(name)): \(error)")
    }
    if type == .directory { throw .error("\(name): is a folder; tpick list prints the files in it") }
  }
}
