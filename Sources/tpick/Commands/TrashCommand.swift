import ArgumentParser
import AssetLibrary
import FolderLibrary
import PhotoPicker
import RemoteLibrary
import Results
import System
import SystemPackage
import Trash

/// `tpick trash put|list|restore|empty`: moves photos to the desktop's trash and back.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .trash,
    discussion: """
      tpick uses the desktop's trash: other programs can show and restore its files. All files of a photo are moved \
      together. Only tpick trash empty deletes files for good.
      """,
    subcommands: [TrashPut.self, TrashList.self, TrashRestore.self, TrashEmpty.self])

  /// Lists the actions if none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("trash: expected one of \(actions); for a folder of that name write ./trash")
  }

  /// The user's trash, including those on other disks.
  static var desktop: DesktopTrash {
    DesktopTrash(home: UserDirectories.trash, answers: { MountProbes.shared.answers($0) })
  }

  /// Moves photos to the trash, each with all its files or not at all.
  ///
  /// If tpick is killed meanwhile, the next start moves those in the trash back.
  /// - Parameter fail: called with the error of each photo that stays where it is.
  /// - Returns: the files that were moved.
  static func put(
    _ photos: [[FilePath]], in trash: DesktopTrash, fail: (TrashError) -> Void
  ) -> [TrashedFile] {
    inOneChange(photos, fail: fail) { (files) throws(TrashError) in
      var moves: UnfinishedMoves?
      // Also if it fails: the note would let the next start undo what the second attempt, with each photo alone, does.
      defer { moves?.end() }
      return try trash.put(files) { (going) throws(TrashError) in
        moves = try UnfinishedMoves.begin(going, .deletingUnstored, in: UserDirectories.data)
      }
    }
  }

  /// Moves photos back from the trash, each with all its files or not at all.
  ///
  /// If tpick is killed meanwhile, the next start moves the others back, too.
  /// - Parameter fail: called with the error of each photo that stays in the trash.
  /// - Returns: the files that were moved.
  static func restore(
    _ photos: [[TrashedFile]], from trash: DesktopTrash, fail: (TrashError) -> Void
  ) -> [TrashedFile] {
    inOneChange(photos, fail: fail) { (files) throws(TrashError) in
      var moves: UnfinishedMoves?
      do throws(TrashError) {
        moves = try UnfinishedMoves.begin(files, .restoring, in: UserDirectories.data)
      } catch {
        // A full disk is no reason to keep photos in the trash; only a kill could then divide one.
        moves = nil
      }
      // Whether it succeeds or not, all or none of them are back.
      defer { moves?.end() }
      try trash.restore(files)
      return files
    }
  }

  /// Moves all photos at once, because each move waits for the disk several times; if that fails, one after the other.
  private static func inOneChange<File>(
    _ photos: [[File]], fail: (TrashError) -> Void,
    move: ([File]) throws(TrashError) -> [TrashedFile]
  ) -> [TrashedFile] {
    if photos.count > 1 {
      do throws(TrashError) {
        return try move(Array(photos.joined()))
      } catch {
        // One photo can't be moved: the others can.
      }
    }
    var moved: [TrashedFile] = []
    for photo in photos {
      do throws(TrashError) {
        moved += try move(photo)
      } catch {
        fail(error)
      }
    }
    return moved
  }
}

/// `tpick trash put`: moves photos to the trash.
struct TrashPut: Subcommand {
  static let configuration = CommandConfiguration(
    of: .trash, "put",
    abstract: "Move photos and videos to the trash, each with all its files.",
    usage: "tpick trash put [options] file ...",
    discussion: """
      The clip of a Live Photo, the raw file, an edit, its original and sidecars are moved with the photo: all of them or \
      none. Prints the paths of the moved files.
      """)

  @Argument(
    help: ArgumentHelp(
      "A photo or video, or - for paths on standard input; a file:// URI or an identifier that --format ids printed does for a path.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var client: ClientArguments

  @OptionGroup var output: PathChangeArguments

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let report = try TrashReport(output)
    guard !files.isEmpty else {
      throw .usage("trash put: name a file; tpick list prints the files of a folder")
    }
    let file = try SettingsFile(settings)
    if !output.dryRun { try file.requireChanges() }
    guard let sources = try? SourceArguments.parse([]) else { throw .usage("trash put: no sources") }
    var request = try LibraryRequest(sources, client)
    try request.requireAccess()
    let (paths, isWhole) = try paths()
    if paths.isEmpty { return isWhole ? .nothing : .failure }
    // Scan whole folders: the other files of a photo are next to it.
    var folders: Set<FilePath> = []
    request.sources = paths.map { $0.removingLastComponent() }.filter { folders.insert($0).inserted }.map {
      ArgumentBytes.text($0.isEmpty ? [UInt8(ascii: ".")] : $0.bytes)
    }
    let opened = try Library(request)
    defer { opened.endAccess() }
    try opened.waitUntilComplete()
    let chosen = PhotoFiles(paths, in: opened)
    for problem in chosen.problems { Messages.warn("\(problem)") }
    for path in chosen.photos.joined() { try report.check(path) }
    if chosen.photos.isEmpty { return .failure }
    if !output.dryRun { try Self.ask(request.access, chosen) }
    var (gone, status) = ([TrashedFile](), chosen.problems.isEmpty && isWhole ? ExitStatus.success : .failure)
    let trash = TrashCommand.desktop
    func fail(_ error: TrashError) {
      Messages.warn("\(error)")
      status = .failure
    }
    if output.dryRun {
      for files in chosen.photos {
        do throws(TrashError) {
          var places: [TrashedFile] = []
          for file in files { places.append(TrashedFile(original: try trash.check(file))) }
          gone += places
        } catch {
          // Continue with the other photos.
          fail(error)
        }
      }
    } else {
      gone = TrashCommand.put(chosen.photos, in: trash, fail: fail)
    }
    try report.print(gone)
    return status
  }

  /// Returns the files that the arguments name, and whether all arguments are usable.
  ///
  /// Warns about those that are not.
  /// - Throws: `Failure` if standard input can't be read.
  private func paths() throws(Failure) -> (paths: [FilePath], isWhole: Bool) {
    var words: [SourceWord] = []
    for word in ArgumentFolding.words(files) {
      if word == "-" {
        words += try SourceWord.wordsFromInput(isNulSeparated: read0)
      } else {
        words.append(SourceWord(ArgumentBytes.bytes(word)))
      }
    }
    SourceWord.locate(&words)
    var (paths, isWhole) = ([FilePath](), true)
    for word in words {
      var problem = word.issue?.description
      if let remote = word.remote {
        problem = "\(remote.publicText): is on a server and can't be deleted"
      }
      if let path = word.paths.first {
        let name = String(decoding: path.bytes, as: UTF8.self)
        if (try? path.stat().type) == .directory {
          problem = "\(name): is a folder; tpick list prints the files in it"
        } else {
          paths.append(path)
        }
      }
      if let problem {
        Messages.warn(problem)
        isWhole = false
      }
    }
    return (paths, isWhole)
  }

  /// Asks the user for consent if a client wants to delete photos.
  /// - Throws: `Failure` if the user refuses, or can't be asked.
  private static func ask(_ access: ClientAccess, _ chosen: PhotoFiles) throws(Failure) {
    guard let client = access.client else { return }
    let photos = Wording.count(chosen.photos.count, "photo")
    let files = Wording.count(chosen.photos.joined().count, "file")
    let purpose = access.purpose.map { "\(OutputText.escaped($0))\n" } ?? ""
    let names =
      chosen.photos.prefix(10).map {
        "  \($0.first.map { OutputText.escaped(String(decoding: $0.bytes, as: UTF8.self)) } ?? "")\n"
      }.joined() + (chosen.photos.count > 10 ? "  and \(chosen.photos.count - 10) more\n" : "")
    let question =
      "\(OutputText.escaped(client)) wants to delete \(photos) (\(files)):\n\(names)\(purpose)Move them to the trash? [y/N] "
    switch TerminalQuestion.ask(question) {
    case true?: return
    case false?:
      throw Failure(status: .noPermission, message: "\(client): deleting \(photos) was not allowed")
    case nil:
      throw Failure(
        status: .noPermission,
        message: "\(client): deleting \(photos) requires consent, and there is no terminal to ask on")
    }
  }
}

/// The photos that files belong to, each with all its files.
private struct PhotoFiles {
  private(set) var photos: [[FilePath]] = []
  /// The errors of files that are not photos.
  private(set) var problems: [AssetError] = []

  /// - Parameter library: a library whose scan is complete.
  init(_ paths: [FilePath], in library: Library) {
    var everything = FetchOptions()
    everything.includeHiddenAssets = true
    everything.includeAllBurstAssets = true
    var (known, unknown): ([LocalIdentifier], [AssetError]) = ([], [])
    for (path, found) in zip(paths, library.store.identifiers(at: paths)) {
      let name = String(decoding: path.bytes, as: UTF8.self)
      switch found {
      case .success(let identifiers) where identifiers.isEmpty:
        unknown.append(AssetError(name, "not a picture or video"))
      case .success(let identifiers):
        // Report a photo that the client may not see like a file that is not a photo.
        if library.manager.fetchAssets(withLocalIdentifiers: Array(identifiers), options: everything).isEmpty
        {
          unknown.append(AssetError(name, "not a picture or video"))
        } else {
          known += identifiers
        }
      case .failure(let error): unknown.append(error)
      }
    }
    problems = unknown
    var going: Set<LocalIdentifier> = []
    let order = known.filter { going.insert($0).inserted }
    let assets = library.manager.fetchAssets(withLocalIdentifiers: order, options: everything)
    // The photo and the clip of a Motion Photo are in one file.
    var taken: Set<FilePath> = []
    photos = assets.map { asset in asset.resources.map(\.path).filter { taken.insert($0).inserted } }
      .filter { !$0.isEmpty }
  }
}

/// `tpick trash list`: prints the photos in the trash.
struct TrashList: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .trash, "list",
    abstract: "Print the photos in the trash that came from your folders, oldest first.",
    usage: "tpick trash list [options] [folder ...]",
    discussion: "Prints the original paths; --format json adds deletion dates and paths in the trash.")

  @OptionGroup var library: TrashedArguments

  @OptionGroup var format: PathFormatArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let report = try TrashReport(format)
    let file = try SettingsFile(settings)
    defer { file.report() }
    let listed = library.files(file)
    let printable = listed.filter { file in
      do throws(Failure) {
        try report.check(file.original)
        return true
      } catch {
        Messages.warn(error.message)
        return false
      }
    }
    try report.print(printable)
    if printable.count < listed.count { return .failure }
    return listed.isEmpty ? .nothing : .success
  }
}

/// `tpick trash restore`: moves photos back from the trash.
struct TrashRestore: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .trash, "restore",
    abstract: "Move photos from the trash back to their folders, each with all its files.",
    usage: "tpick trash restore [options] file ...",
    discussion: """
      Files that were deleted with a file are restored with it: all of them or none. Nothing is overwritten. Of several \
      files with the same original path, restores the one deleted last. Prints the paths of the restored files.
      """)

  @Argument(
    help: ArgumentHelp(
      "The original path, as tpick trash list prints it, or the path in the trash; - for paths on standard input.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var output: PathChangeArguments

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let report = try TrashReport(output)
    let file = try SettingsFile(settings)
    if !output.dryRun { try file.requireChanges() }
    guard !files.isEmpty else {
      throw .usage("trash restore: name a file; tpick trash list prints the photos in the trash")
    }
    var words: [FilePath] = []
    for word in ArgumentFolding.words(files) {
      if word != "-" {
        words.append(PathArgument.path(word))
        continue
      }
      guard let bytes = try? FileText.bytes(of: .standardInput) else {
        throw .error("standard input: can't be read")
      }
      words += bytes.split(separator: read0 ? 0 : 0x0A).map { PathArgument.path($0) }
    }
    let trash = TrashCommand.desktop
    let listed = TrashIndex(trash)
    var (photos, status, known) = ([[TrashedFile]](), ExitStatus.success, Set<TrashedFile>())
    func fail(_ message: String) {
      Messages.warn(message)
      status = .failure
    }
    for word in words {
      guard let file = listed.last(at: [word.absolute, Self.resolved(word)]) else {
        fail("\(String(decoding: word.bytes, as: UTF8.self)): not in the trash")
        continue
      }
      let photo = listed.photo(of: file).filter { known.insert($0).inserted }
      for file in photo { try report.check(file.original) }
      if !photo.isEmpty { photos.append(photo) }
    }
    let restored =
      output.dryRun
      ? Array(photos.joined()) : TrashCommand.restore(photos, from: trash) { fail("\($0)") }
    try report.print(restored)
    return status
  }

  /// Returns a path as info files contain it: absolute, without links in its folder.
  private static func resolved(_ path: FilePath) -> FilePath {
    let path = path.absolute
    return path.removingLastComponent().resolved.map {
      FilePath(bytes: $0.bytes + [UInt8(ascii: "/")] + path.nameBytes)
    }
      ?? path
  }
}

/// The files in the trash, found by their paths and by the photos that they belong to.
private struct TrashIndex {
  /// What the files of a photo have in common: deleted at one time, from one folder, with one name.
  private struct Photo: Hashable {
    var deleted: String?
    var folder: FilePath
    var stem: [UInt8]

    init?(_ file: TrashedFile) {
      guard PhotoFileName.isMediaOrSidecar(file.original.nameBytes) else { return nil }
      deleted = file.deleted
      folder = file.original.removingLastComponent()
      stem = Array(PhotoFileName.stem(file.original.nameBytes))
    }
  }

  private let trash: DesktopTrash
  private let listed: [TrashedFile]
  /// The index of the file that was deleted last, by its original path and by that in the trash.
  private let indexes: [FilePath: Int]
  /// The indexes of the files of each photo; several photos have the same key if they were deleted in one second.
  private let photos: [Photo: [[Int]]]

  init(_ trash: DesktopTrash) {
    let listed = trash.list()
    (self.trash, self.listed) = (trash, listed)
    indexes = Dictionary(
      listed.indices.flatMap { [(listed[$0].original, $0), (listed[$0].file, $0)] },
      uniquingKeysWith: max)
    var photos: [Photo: [[Int]]] = [:]
    // From the end: the files that were deleted last belong together.
    for index in listed.indices.reversed() {
      guard let photo = Photo(listed[index]) else { continue }
      let original = listed[index].original
      let known = photos[photo] ?? []
      // No photo has two files with one path.
      let place = known.firstIndex { files in !files.contains { listed[$0].original == original } }
      if let place {
        photos[photo]?[place].append(index)
      } else {
        photos[photo, default: []].append([index])
      }
    }
    self.photos = photos
  }

  /// Returns the file with one of several paths that was deleted last.
  func last(at paths: [FilePath]) -> TrashedFile? {
    // The same file has another path where its disk is mounted twice, which takes a look at all disks.
    let found =
      paths.compactMap { indexes[$0] }.max()
      ?? paths.flatMap(trash.spellings).compactMap { indexes[$0] }.max()
    return found.map { listed[$0] }
  }

  /// Returns a file and those deleted with it: of the same photo, from the same folder, at the same time.
  func photo(of file: TrashedFile) -> [TrashedFile] {
    let groups = Photo(file).flatMap { photos[$0] } ?? []
    let group = groups.first { files in files.contains { listed[$0] == file } }
    return group?.reversed().map { listed[$0] } ?? [file]
  }
}

/// `tpick trash empty`: deletes the photos in the trash for good.
struct TrashEmpty: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .trash, "empty",
    abstract: "Delete for good the photos in the trash that came from your folders.",
    usage: "tpick trash empty [options] [folder ...]",
    discussion: "Deletes only the files that tpick trash list prints. Asks first.")

  @OptionGroup var library: TrashedArguments

  @OptionGroup var output: PathChangeArguments

  @Flag(help: "Delete without asking.")
  var force = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let report = try TrashReport(output)
    let file = try SettingsFile(settings)
    defer { file.report() }
    if !output.dryRun { try file.requireChanges() }
    let listed = library.files(file)
    if listed.isEmpty { return .nothing }
    for file in listed { try report.check(file.original) }
    if !force, !output.dryRun {
      let size = MeasureText.text(ofBytes: listed.map(\.size).saturatedSum())
      let files = Wording.count(listed.count, "file")
      switch TerminalQuestion.ask("Delete \(files) (\(size)) for good? [y/N] ") {
      case true?: break
      case false?:
        Messages.warn("nothing was deleted")
        return .nothing
      case nil:
        throw .error("trash empty: there is no terminal to ask on; use --force to delete without asking")
      }
    }
    let failures =
      output.dryRun ? Array(repeating: nil, count: listed.count) : TrashCommand.desktop.erase(listed)
    for case let failure? in failures { Messages.warn("\(failure)") }
    try report.print(zip(listed, failures).compactMap { $1 == nil ? $0 : nil })
    return failures.contains { $0 != nil } ? .failure : .success
  }
}

/// The arguments that select files in the trash.
struct TrashedArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Only files that came from this folder or from below it. Default: the sources of the configuration, else your pictures folder.",
      valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  /// Returns the trashed files of photos that came from these folders.
  func files(_ file: SettingsFile) -> [TrashedFile] {
    var folders = ArgumentFolding.words(folders).map { PathArgument.path($0) }
    if folders.isEmpty { folders = file.sources }
    if folders.isEmpty { folders = [UserDirectories.pictures] }
    // A folder that no longer exists may still have files in the trash.
    let places = folders.flatMap { folder in
      [folder.absolute] + (MountProbes.shared.answers(folder) ? [folder.resolved].compactMap(\.self) : [])
    }
    return TrashCommand.desktop.list().filter { file in
      PhotoFileName.isMediaOrSidecar(file.original.nameBytes)
        && places.contains { file.original.starts(with: $0) }
    }
  }
}

/// The options for printing files that were moved, saved or found.
struct PathFormatArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  @Flag(name: [.customShort("0"), .long], help: "End each path with NUL instead of a newline.")
  var print0 = false
}

/// The options of actions that change the library's files or the trash.
struct PathChangeArguments: ParsableArguments {
  @OptionGroup var paths: PathFormatArguments

  @Flag(help: "Print what would change, and change nothing.")
  var dryRun = false
}

/// Prints the original paths of trashed files.
private struct TrashReport {
  private let format: DocumentFormat
  private let isNulTerminated: Bool
  private let isDryRun: Bool

  init(_ arguments: PathFormatArguments, isDryRun: Bool = false) throws(Failure) {
    format = arguments.format ?? .text
    isNulTerminated = arguments.print0
    self.isDryRun = isDryRun
    if format == .json, isNulTerminated { throw .usage("--print0: json is not NUL-separated") }
  }

  init(_ arguments: PathChangeArguments) throws(Failure) {
    try self.init(arguments.paths, isDryRun: arguments.dryRun)
  }

  /// Checks that a path can be printed unambiguously.
  /// - Throws: `Failure` for a path with a line break in newline-separated output.
  func check(_ path: FilePath) throws(Failure) {
    guard format == .text, !isNulTerminated, path.bytes.contains(0x0A) else { return }
    throw .error("\(String(decoding: path.bytes, as: UTF8.self)): has a line break in its name: use --print0")
  }

  func print(_ files: [TrashedFile]) throws(Failure) {
    let output: [UInt8]
    switch format {
    case .json:
      output =
        try JSONText.line(Document(dryRun: isDryRun ? true : nil, files: files.map(Document.File.init))) + [
          0x0A
        ]
    case .text:
      let escape: ([UInt8]) -> [UInt8] =
        StandardStream.output.isTerminal && !isNulTerminated ? OutputText.escaped : { $0 }
      output = files.flatMap { escape($0.original.bytes) + [isNulTerminated ? 0 : 0x0A] }
    }
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
  }

  /// The output as JSON.
  private struct Document: Encodable {
    struct File: Encodable {
      /// The original path.
      var path: String
      var pathBytes: String?
      /// Local time; omitted in a dry run of `trash put`, or if the info file has none.
      var deletionDate: String?
      /// The path in the trash, for a restored file the former one; omitted in a dry run of `trash put`.
      var trashPath: String?
      var trashPathBytes: String?
      /// Bytes.
      var size: Int64?

      init(_ file: TrashedFile) {
        let text = PathText(file.original.bytes)
        (path, pathBytes) = (text.text, text.base64)
        deletionDate = file.deleted
        if !file.file.isEmpty {
          let text = PathText(file.file.bytes)
          (trashPath, trashPathBytes, size) = (text.text, text.base64, file.size)
        }
      }
    }

    var version = 1
    var dryRun: Bool?
    var files: [File]
  }
}
