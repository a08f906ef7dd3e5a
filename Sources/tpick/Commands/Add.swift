import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary
import MediaFormats
import PhotoPicker
import RemoteLibrary
import Results
import System
import SystemPackage

/// `tpick add FILE ...`: copies photos into the library.
struct Add: Subcommand {
  static let configuration = CommandConfiguration(
    of: .add,
    usage: "tpick add [options] file ...",
    discussion: """
      Copies photos and videos into your library, each with all its files, and prints their paths in the library. If the \
      library already contains a photo with the same bytes, nothing is copied, and the path of that photo is printed. If most \
      photos in the library are in folders by date, such as 2024/05, new ones are saved in such folders, too. The added files \
      themselves stay where they are.
      """)

  @Argument(
    help: ArgumentHelp(
      "A photo or video, or - to read the bytes of one from standard input (up to 2 GiB).",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The folder to save into, which is created if necessary. Default: the first source of the configuration, else your pictures folder; there in folders by date if most photos are.",
      valueName: "dir"),
    completion: .directory)
  var into: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A template for file names, such as '{date:%Y-%m-%d}_{stem}'; the extension is kept. Slashes in a date, and after it, create folders: '{date:%Y/%m}/{stem}'. Default: the names of the added files.",
      valueName: "template"),
    transform: NameTemplate.template)
  var name: ResultTemplate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Also add the photos to this album of yours, which is created if it does not exist.",
      valueName: "name"))
  var album: String?

  @OptionGroup var client: ClientArguments

  @OptionGroup var output: PathChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    var report = try AddReport(output)
    guard !files.isEmpty else { throw .usage("add: name a file, or - for standard input") }
    let album = try album.map { name throws(Failure) in try AlbumName.text(name) }
    guard let none = try? SourceArguments.parse([]) else { throw .usage("add: no sources") }
    var request = try LibraryRequest(none, client)
    let status = request.access.decision.status(for: .addOnly)
    guard status == .authorized else { throw request.access.refusal(status) }
    if album != nil, let client = request.access.client, request.access.decision.readWrite != .authorized {
      throw Failure(
        status: .noPermission,
        message: "--album: \(client) may not change albums; that takes access to all photos")
    }
    let file = try SettingsFile(settings)
    defer { file.report() }
    if !output.dryRun { try file.requireChanges() }
    let place = try LibraryPlace(
      file.sources.first ?? UserDirectories.pictures,
      into: try into.map { word throws(Failure) in try RemoteWord.writtenPath(word, of: "--into") },
      isClient: client.client != nil)
    request.sources = [ArgumentBytes.text(place.source.bytes)]
    let given = try GivenPhotos(ArgumentFolding.words(files))
    var result: ExitStatus = given.isWhole ? .success : .failure
    if given.photos.isEmpty { return .failure }
    var (known, pattern): (KnownAssets?, FolderPattern?)
    // With --into, the library is needed only to find duplicates; it may be missing.
    if place.isLibrary {
      let opened = try Library(request)
      try opened.waitUntilComplete()
      // Compares only with photos that the client may see, so that it does not learn of others.
      var everything = FetchOptions()
      everything.includeHiddenAssets = true
      everything.includeAllBurstAssets = true
      known = KnownAssets(
        opened.manager.fetchAssets(in: nil, options: everything), in: opened.store,
        byteCounts: Set(given.photos.map(\.asset.byteCount)))
      if into == nil, name == nil { pattern = FolderPattern(of: opened.store, below: place.source) }
    }
    let signals = CancellingSignals()
    for photo in given.photos where !signals.cancellation.isCancelled {
      if let existing = known?.same(as: photo.asset, in: photo.store) {
        report.add(existing.resources.map(\.path), isNew: false)
        continue
      }
      var target = ExportTarget(
        path: place.folder, options: ExportOptions(resources: .all, existing: .number))
      target.options.representation.mode = .current
      target.options.name = name ?? photo.name
      target.options.namesTypes = photo.name != nil
      if let pattern {
        target.path = place.folder.pushing(FilePath(pattern.folder(of: photo.asset.creationDate)))
      }
      do throws(AssetError) {
        if output.dryRun {
          report.add([try photo.place(in: target)], isNew: true)
          continue
        }
        let saved = try photo.save(
          to: target, acceptsLineBreaks: report.acceptsLineBreaks, cancellation: signals.cancellation)
        if let saved {
          report.add(saved.resources.map(\.path), isNew: true)
          known?.add(saved, in: photo.store)
        }
      } catch {
        Messages.warn("\(photo.named(error))")
        result = .failure
      }
    }
    signals.end()
    try report.print(isDryRun: output.dryRun)
    if let album, !output.dryRun, !report.paths.isEmpty {
      try ChangedLibrary(saved: report.paths, client, settings).addPhotos(to: album, creates: true)
    }
    signals.endIfSignaled()
    return result
  }
}

/// The library and the folder that photos are saved into.
private struct LibraryPlace {
  /// The library's folder.
  let source: FilePath
  /// The folder to save into, or to save below in folders by date.
  let folder: FilePath
  /// Whether the library's folder exists and can be read.
  let isLibrary: Bool

  /// - Parameter isClient: whether a client saves, which may do so only in the library.
  /// - Throws: `Failure` if there is no folder to save into, or the client may not save there.
  init(_ source: FilePath, into folder: FilePath?, isClient: Bool) throws(Failure) {
    let name = String(decoding: source.bytes, as: UTF8.self)
    guard RemoteWord.address(source.bytes) == nil else {
      guard let folder, !isClient else {
        throw .error("\(name): is on a server, where nothing can be saved; use --into with a local folder")
      }
      (self.source, self.folder, isLibrary) = (folder, folder, false)
      return
    }
    let answers = MountProbes.shared.answers(source)
    isLibrary = answers && (try? source.stat().type) == .directory
    guard isLibrary || folder != nil && !isClient else {
      throw .error("\(name): \(answers ? "no such folder" : "does not answer"); use --into with another one")
    }
    self.source = source
    self.folder = folder ?? source
    guard isClient, let folder else { return }
    // Of a folder that does not exist yet, check the nearest existing parent.
    var above = folder.absolute
    while above.resolved == nil, above.lastComponent != nil { above.removeLastComponent() }
    guard let resolved = above.resolved, let library = source.resolved, resolved.starts(with: library),
      !folder.components.contains(where: { $0.kind == .parentDirectory })
    else {
      throw .usage("--into: with --client the folder must be in the library (\(name))")
    }
  }
}

/// A photo to save.
private struct GivenPhoto {
  let asset: Asset
  let store: any AssetStore
  /// The name template for a photo from standard input, which has no name of its own.
  var name: ResultTemplate?
  /// Keeps the temporary file of a photo from standard input.
  var input: SpooledFile?

  /// Returns an error with "standard input" as its subject instead of the temporary file, which the user does
  /// not know.
  func named(_ error: AssetError) -> AssetError {
    guard let input, error.subject == String(decoding: input.path.bytes, as: UTF8.self) else { return error }
    return AssetError("standard input", error.reason)
  }

  /// Saves all its files, or none.
  /// - Returns: the saved asset; nil if the user canceled.
  /// - Throws: `AssetError` if a file can't be saved.
  func save(
    to target: ExportTarget, acceptsLineBreaks: Bool, cancellation: Cancellation
  ) throws(AssetError) -> Asset? {
    guard let path = target.path else { return nil }
    let missing = MissingFolders(of: path)
    do throws(AssetError) {
      let report = try target.run(
        [asset], from: store, RecordReader(store), acceptsLineBreaks: acceptsLineBreaks, cancellation
      ) { _ in }
      if let failure = report.failures.first { throw failure }
      // Left out: the original is already in the target folder.
      return report.copies.first ?? (report.leftOut > 0 ? asset : nil)
    } catch {
      missing.remove()
      throw error
    }
  }

  /// Returns the path at which the primary file would be saved.
  func place(in target: ExportTarget) throws(AssetError) -> FilePath {
    var own = ExportName(asset.nameBytes)
    if name != nil, let type = asset.primaryResource?.uniformTypeIdentifier,
      let suffix = FileFormat(uniformTypeIdentifier: type)?.suffixes.first
    {
      own = ExportName(stem: own.stem, suffix: Array(".\(suffix)".utf8))
    }
    var folder = target.path ?? ""
    if let template = target.options.name {
      let reader = RecordReader(store)
      let record = reader.records(
        needsDetails: template.needsDetails, needsAlbums: template.needsAlbums, pathBytes: { $0.path.bytes })
      own = ExportName(path: template.name(of: record(asset)), of: own)
      for name in own.folders { folder = FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name) }
    }
    for number in 1... {
      let path = FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + own.bytes(number: number))
      if (try? path.stat(followTargetSymlink: false)) == nil { return path }
    }
    return folder
  }
}

/// The photos that arguments name.
private struct GivenPhotos {
  private(set) var photos: [GivenPhoto] = []
  /// Whether all arguments are photos; problems have been reported.
  private(set) var isWhole = true

  init(_ words: [String]) throws(Failure) {
    var paths: [FilePath] = []
    for word in words where word != "-" {
      let path = PathArgument.path(word)
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      if RemoteWord.address(ArgumentBytes.bytes(word)) != nil {
        refuse("\(name): is on a server; use tpick list --export to download it")
      } else if !MountProbes.shared.answers(path) {
        refuse("\(name): does not answer")
      } else {
        do {
          if try path.stat().type == .directory {
            refuse("\(name): is a folder; tpick list prints the files in it")
          } else {
            paths.append(path)
          }
        } catch {
          refuse("\(name): \(error)")
        }
      }
    }
    // Keep the order of the arguments, with standard input in its position.
    var found: [FilePath: GivenPhoto] = [:]
    if !paths.isEmpty {
      let store = LibraryBackend.open(paths, isKept: false, includesPartners: true)
      store.waitUntilComplete()
      for (path, asset) in zip(paths, Self.assets(at: paths, in: store)) {
        if let asset { found[path] = GivenPhoto(asset: asset, store: store) } else { refuse(path, store) }
      }
    }
    var taken: Set<LocalIdentifier> = []
    for word in words {
      if word == "-" {
        try takeInput()
      } else if let photo = found[PathArgument.path(word)], taken.insert(photo.asset.id).inserted {
        photos.append(photo)
      }
    }
  }

  private mutating func takeInput() throws(Failure) {
    let input = try ShowLibrary.readInput()
    // The saved copy gets this file's mode: use that of new files, since no other process can open this one.
    _ = input.path.withPlatformString { chmod($0, 0o666) }
    let store = LibraryBackend.open([input.path], isKept: false)
    store.waitUntilComplete()
    guard let asset = Self.assets(at: [input.path], in: store).first ?? nil else {
      return refuse("standard input: not a picture or video")
    }
    // Named by its date, as screenshot tools do.
    guard let name = try? ResultTemplate(Array("{date:%Y-%m-%d_%H-%M-%S}".utf8)) else { return }
    photos.append(GivenPhoto(asset: asset, store: store, name: name, input: input))
  }

  private static func assets(at paths: [FilePath], in store: any AssetStore) -> [Asset?] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return store.identifiers(at: paths).map { found in
      guard let identifier = (try? found.get())?.first else { return nil }
      return store.assets(withLocalIdentifiers: [identifier], options: options).first
    }
  }

  private mutating func refuse(_ path: FilePath, _ store: any AssetStore) {
    let name = String(decoding: path.bytes, as: UTF8.self)
    let issue = store.status.issues.first { $0.subject == name }
    refuse("\(AssetError(name, issue?.reason ?? "not a picture or video"))")
  }

  private mutating func refuse(_ message: String) {
    Messages.warn(message)
    isWhole = false
  }
}

/// Collects and prints the paths of photos in the library.
private struct AddReport {
  private let format: DocumentFormat
  private let isNulTerminated: Bool
  private var photos: [Document.Photo] = []
  /// The primary file of each photo.
  private(set) var paths: [FilePath] = []

  init(_ arguments: PathChangeArguments) throws(Failure) {
    format = arguments.paths.format ?? .text
    isNulTerminated = arguments.paths.print0
    if format == .json, isNulTerminated { throw .usage("--print0: json is not NUL-separated") }
  }

  /// Whether a name with a line break can be printed unambiguously.
  var acceptsLineBreaks: Bool { format == .json || isNulTerminated }

  /// Adds a photo.
  /// - Parameter files: its files, the primary one first.
  mutating func add(_ files: [FilePath], isNew: Bool) {
    guard let first = files.first else { return }
    paths.append(first)
    photos.append(Document.Photo(isNew: isNew, files: files.map(Document.File.init)))
  }

  func print(isDryRun: Bool) throws(Failure) {
    let output: [UInt8]
    if format == .json {
      output = try JSONText.line(Document(dryRun: isDryRun ? true : nil, photos: photos)) + [0x0A]
    } else {
      let escape: ([UInt8]) -> [UInt8] =
        StandardStream.output.isTerminal && !isNulTerminated ? OutputText.escaped : { $0 }
      output = paths.flatMap { escape($0.bytes) + [isNulTerminated ? 0 : 0x0A] }
    }
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
  }

  /// The output as JSON.
  private struct Document: Encodable {
    struct File: Encodable {
      var path: String
      var pathBytes: String?

      init(_ path: FilePath) {
        let text = PathText(path.bytes)
        (self.path, pathBytes) = (text.text, text.base64)
      }
    }

    struct Photo: Encodable {
      /// False if the library contained it already.
      var isNew: Bool
      /// The primary file first.
      var files: [File]
    }

    var version = 1
    var dryRun: Bool?
    var photos: [Photo]
  }
}
