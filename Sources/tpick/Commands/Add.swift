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

/// `tpick add FILE ...`: saves photos into the library.
struct Add: Subcommand {
  static let configuration = CommandConfiguration(
    of: .add,
    usage: "tpick add [options] file ...",
    discussion: """
      Copies photos and videos into your library, each with all its files, and prints where each is. A photo that is there already, \
      by its bytes, is not copied: its place is printed. The folder is the library's way: where most photos lie in folders by date, \
      such as 2024/05, new ones do, too. The files that are added stay.
      """)

  @Argument(
    help: ArgumentHelp(
      "A photo or video, or - for one whose bytes come through standard input (up to 2 GiB).",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The folder to save into, which is made if need be. Default: the first source of the configuration, else your pictures folder, and there by date where the library does so.",
      valueName: "dir"),
    completion: .directory)
  var into: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the photos are called, as a template such as '{date:%Y-%m-%d}_{stem}'; the extension stays. Slashes in a date, and behind it, make folders: '{date:%Y/%m}/{stem}'. Default: as their files are.",
      valueName: "template"),
    transform: NameTemplate.template)
  var name: ResultTemplate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Put the photos into this album of yours, too, which is made if there is none of this name.",
      valueName: "name"))
  var album: String?

  @OptionGroup var client: ClientArguments

  @OptionGroup var output: PathChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    var report = try AddReport(output)
    guard !files.isEmpty else { throw .usage("add: name a file, or - for standard input") }
    let album = try album.map { name throws(Failure) in try AlbumName.text(name) }
    if album != nil, client.client != nil {
      throw .usage("--album: not together with --client: albums are the user's alone")
    }
    guard let none = try? SourceArguments.parse([]) else { throw .usage("add: no sources") }
    var request = try LibraryRequest(none, client)
    let status = request.access.decision.status(for: .addOnly)
    guard status == .authorized else { throw request.access.refusal(status) }
    let file = try SettingsFile(settings)
    defer { file.report() }
    if !output.dryRun { try file.requireChanges() }
    let place = try LibraryPlace(
      file.sources.first ?? UserDirectories.pictures, into: into.map { PathArgument.path($0) },
      isClient: client.client != nil)
    request.sources = [ArgumentBytes.text(place.source.bytes)]
    let given = try GivenPhotos(ArgumentFolding.words(files))
    var result: ExitStatus = given.isWhole ? .success : .failure
    if given.photos.isEmpty { return .failure }
    var (known, pattern): (KnownPhotos?, FolderPattern?)
    // Saving into a folder of its own needs no library, nor has a library to be there.
    if place.isLibrary {
      let opened = try Library(request)
      try opened.waitUntilComplete()
      // A client hears nothing of photos that it may not see: those are not compared with.
      known = KnownPhotos(opened, given.photos)
      if into == nil, name == nil { pattern = FolderPattern(of: opened.store, below: place.source) }
    }
    let signals = CancellingSignals()
    for photo in given.photos where !signals.cancellation.isCancelled {
      if let existing = known?.same(as: photo) {
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
          known?.note(saved, photo.store)
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
    signals.dieIfCame()
    return result
  }
}

/// Where photos are saved.
private struct LibraryPlace {
  /// The folder of the library.
  let source: FilePath
  /// The folder that they are saved into, or below it by date.
  let folder: FilePath
  /// Whether there is a library to look into.
  let isLibrary: Bool

  /// - Parameter isClient: whether another program saves, which may do so only in the library.
  init(_ source: FilePath, into folder: FilePath?, isClient: Bool) throws(Failure) {
    let name = String(decoding: source.bytes, as: UTF8.self)
    if let folder, folder.isEmpty { throw .usage("--into: the name of a folder is expected") }
    guard RemoteWord.address(source.bytes) == nil else {
      guard let folder, !isClient else {
        throw .error("\(name): is on a server, where nothing is saved; --into names a folder of this machine")
      }
      (self.source, self.folder, isLibrary) = (folder, folder, false)
      return
    }
    let answers = MountProbes.shared.answers(source)
    isLibrary = answers && (try? source.stat().type) == .directory
    guard isLibrary || folder != nil && !isClient else {
      throw .error("\(name): \(answers ? "no such folder" : "does not answer"); --into names another one")
    }
    self.source = source
    self.folder = folder ?? source
    guard isClient, let folder else { return }
    // What is not there yet is looked at by what is.
    var above = folder.absolute
    while above.resolved == nil, above.lastComponent != nil { above.removeLastComponent() }
    guard let resolved = above.resolved, let library = source.resolved, resolved.starts(with: library),
      !folder.components.contains(where: { $0.kind == .parentDirectory })
    else {
      throw .usage("--into: with --client a folder of the library (\(name)) is expected")
    }
  }
}

/// A photo that is to be saved.
private struct GivenPhoto {
  let asset: Asset
  let store: any AssetStore
  /// What it is called, where it came without a name.
  var name: ResultTemplate?
  /// Keeps the bytes that came without a name.
  var input: SpooledFile?

  /// What is told of it, which has no name that the user knows where it came through standard input.
  func named(_ error: AssetError) -> AssetError {
    guard let input, error.subject == String(decoding: input.path.bytes, as: UTF8.self) else { return error }
    return AssetError("standard input", error.reason)
  }

  /// Saves all its files, or none.
  /// - Returns: what was saved; nil where the user ended it.
  func save(
    to target: ExportTarget, acceptsLineBreaks: Bool, cancellation: Cancellation
  ) throws(AssetError) -> Asset? {
    guard let path = target.path else { return nil }
    let missing = Self.missing(path)
    do throws(AssetError) {
      let report = try target.run(
        [asset], from: store, RecordReader(store), acceptsLineBreaks: acceptsLineBreaks, cancellation
      ) { _ in }
      if let failure = report.failures.first { throw failure }
      // It lies there already.
      return report.copies.first ?? (report.leftOut > 0 ? asset : nil)
    } catch {
      // Folders by date that were made for nothing.
      for folder in missing { _ = folder.withPlatformString { rmdir($0) } }
      throw error
    }
  }

  /// Which folders on the way are not there, the deepest first.
  private static func missing(_ path: FilePath) -> [FilePath] {
    var (missing, path) = ([FilePath](), path)
    while !path.isEmpty, path.lastComponent != nil, (try? path.stat()) == nil {
      missing.append(path)
      path.removeLastComponent()
    }
    return missing
  }

  /// Where it would be saved.
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
  /// Whether all that was named is a photo.
  private(set) var isWhole = true

  init(_ words: [String]) throws(Failure) {
    var paths: [FilePath] = []
    for word in words where word != "-" {
      let path = PathArgument.path(word)
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      if RemoteWord.address(ArgumentBytes.bytes(word)) != nil {
        refuse("\(name): is on a server; tpick list --export brings it here")
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
    // In the order in which they are named, standard input where it stands.
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
    // The copy has the rights of its original, which nobody can open by a name: those of new files, then.
    _ = input.path.withPlatformString { chmod($0, 0o666) }
    let store = LibraryBackend.open([input.path], isKept: false)
    store.waitUntilComplete()
    guard let asset = Self.assets(at: [input.path], in: store).first ?? nil else {
      return refuse("standard input: not a picture or video")
    }
    // It has no name of its own: the moment does, as screenshot tools have it.
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

/// The photos of the library that may be the same as those that are to be saved.
private struct KnownPhotos {
  private var bySize: [Int64: [(asset: Asset, store: any OriginalAccess)]] = [:]

  init(_ library: Library, _ given: [GivenPhoto]) {
    let sizes = Set(given.map(\.asset.byteCount))
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    for asset in library.manager.fetchAssets(in: nil, options: options) where sizes.contains(asset.byteCount)
    {
      bySize[asset.byteCount, default: []].append((asset, library.store))
    }
  }

  /// The photo of the library that has the same bytes: those of every file of the given photo.
  func same(as photo: GivenPhoto) -> Asset? {
    bySize[photo.asset.byteCount]?.first { known in
      photo.asset.resources.allSatisfy { resource in
        known.asset.resources.contains { isSame(resource, of: photo.store, $0, of: known.store) }
      }
    }?.asset
  }

  private func isSame(
    _ one: AssetResource, of store: any OriginalAccess, _ other: AssetResource, of otherStore: any OriginalAccess
  ) -> Bool {
    // A part of a file is the same if the file is.
    if one.byteRange != nil { return other.byteRange != nil && one.type == other.type }
    guard other.byteRange == nil, one.byteCount == other.byteCount,
      let (first, second) = try? (store.reader(for: one), otherStore.reader(for: other)),
      let (left, right) = zipped(first.descriptor, second.descriptor)
    else { return false }
    return withExtendedLifetime((first, second)) { FileContent.isSame(left, right) }
  }

  private func zipped(_ one: Int32?, _ other: Int32?) -> (Int32, Int32)? {
    guard let one, let other else { return nil }
    return (one, other)
  }

  /// Notes a photo that was saved.
  mutating func note(_ saved: Asset, _ store: any OriginalAccess) {
    bySize[saved.byteCount, default: []].append((saved, store))
  }
}

/// How the folders of a library are called by date.
private struct FolderPattern {
  private let format: String

  /// The ways in which cameras' programs and people do it.
  private static let formats = ["Y/M/D", "Y/M", "Y/Y-M-D", "Y/Y-M", "Y/M-D", "Y-M-D", "Y-M", "Y"]

  private static let mostPhotos = 4000

  /// - Parameter folder: the library.
  /// - Returns: nil where not more than half of its photos lie in folders of one way.
  init?(of store: any AssetFetching, below folder: FilePath) {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    var (votes, count) = ([String: Int](), 0)
    // The newest: the way may have changed, and a look at them is soon done.
    for asset in store.assets(in: nil, options: options).prefix(Self.mostPhotos) {
      guard let path = asset.primaryResource?.path, path.starts(with: folder) else { continue }
      count += 1
      let parts = path.components.dropFirst(folder.components.count).dropLast().map(\.string)
      guard parts.first.map({ $0.count >= 4 }) ?? false, parts.count <= 3 else { continue }
      let place = parts.joined(separator: "/")
      for format in Self.formats where Self.folder(format, asset.creationDate) == place {
        votes[format, default: 0] += 1
      }
    }
    guard let most = votes.max(by: { $0.value < $1.value }), most.value * 2 > count else { return nil }
    format = most.key
  }

  /// The folder of a photo.
  func folder(of date: AssetDate) -> String { Self.folder(format, date) }

  private static func folder(_ format: String, _ date: AssetDate) -> String {
    let (year, month, day, _, _, _) = date.components
    func text(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return format.replacing("Y", with: text(year, 4)).replacing("M", with: text(month, 2))
      .replacing("D", with: text(day, 2))
  }
}

/// Prints where photos are.
private struct AddReport {
  private let format: DocumentFormat
  private let isNulTerminated: Bool
  private var photos: [Document.Photo] = []
  /// The file of each photo that stands for it.
  private(set) var paths: [FilePath] = []

  init(_ arguments: PathChangeArguments) throws(Failure) {
    format = arguments.paths.format ?? .text
    isNulTerminated = arguments.paths.print0
    if format == .json, isNulTerminated { throw .usage("--print0: json is not NUL-separated") }
  }

  /// Whether a name with a line break can be told from two.
  var acceptsLineBreaks: Bool { format == .json || isNulTerminated }

  /// - Parameter files: the one first that stands for the photo.
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
      /// False where it was there already.
      var isNew: Bool
      /// The one first that stands for it.
      var files: [File]
    }

    var version = 1
    var dryRun: Bool?
    var photos: [Photo]
  }
}
