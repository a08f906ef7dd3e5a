import ArgumentParser
import AssetLibrary
import Configuration
import FolderLibrary
import Permissions
import PhotoPicker
import RemoteLibrary
import Results
import SystemPackage

/// `tpick mark [OPTIONS] FILE ...`: marks photos as favorites, hides them, or corrects their dates and locations.
struct Mark: Subcommand {
  static let configuration = CommandConfiguration(
    of: .mark,
    usage: "tpick mark [--favorite|--no-favorite] [--hidden|--no-hidden] [options] file ...",
    discussion: """
      Marks and corrections follow a photo that is renamed or moved. tpick stores them itself and never changes the \
      photo's file; with favorites = "sidecar" in the configuration, favorites are written to XMP sidecars instead. If \
      one of the files is not a photo, nothing is marked.
      """)

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive, help: "Add the photos to the favorites, or remove them.")
  var favorite: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Hide the photos, or show them again.")
  var hidden: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Correct when the photos were taken: a date in ISO 8601 with or without an offset from UTC, as 2019-05-03T12:00+02:00, or original for the date in their files.",
      valueName: "date"),
    transform: DateCorrectionArgument.init)
  var date: DateCorrectionArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Correct where the photos were taken: degrees north and east, as 38.72,-9.14, none for no location, or original for the location in their files.",
      valueName: "place"),
    transform: PlaceCorrectionArgument.init)
  var place: PlaceCorrectionArgument?

  @Flag(
    help:
      "Return to the original photos: move the files of their edits (such as IMG_E1234.JPG) to the trash. Photos without an edit stay as they are."
  )
  var revert = false

  @OptionGroup var photos: PhotoArguments

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if favorite == nil, hidden == nil, date == nil, place == nil, !revert {
      throw .usage("mark: use --favorite, --no-favorite, --hidden, --no-hidden, --date, --place or --revert")
    }
    if revert, change.client.client != nil {
      throw .usage("--revert: can't be used with --client, because it moves files to the trash")
    }
    let library = try ChangedLibrary(try photos.sourceWords(photos.files, of: "mark"), change, settings)
    let before = library.assets
    let changes = before.flatMap { asset -> [AssetChange] in
      var changes: [AssetChange] = []
      if let favorite, asset.isFavorite != favorite { changes.append(.setFavorite(asset.id, favorite)) }
      if let hidden, asset.isHidden != hidden { changes.append(.setHidden(asset.id, hidden)) }
      let known = asset.creationDateSource == .user ? asset.creationDate : nil
      if let date, date.correction != known { changes.append(.setCreationDate(asset.id, date.correction)) }
      if let place { changes.append(.setLocation(asset.id, place.correction)) }
      if revert, asset.hasAdjustments { changes.append(.revertToOriginal([asset.id])) }
      return changes
    }
    if revert, !before.contains(where: \.hasAdjustments) {
      throw .error("--revert: none of the photos has an edit")
    }
    try library.perform(changes)
    let changed = Set(changes.flatMap(\.requiredAssets))
    let assets = (change.dryRun ? before : library.assets).filter { changed.contains($0.id) }
    var words: [String] = []
    if let favorite { words.append(favorite ? "favorite" : "not a favorite") }
    if let hidden { words.append(hidden ? "hidden" : "not hidden") }
    if let date { words.append("date \(date.text)") }
    if let place { words.append("place \(place.text)") }
    if revert { words.append("reverted to the original") }
    try library.report(assets, words: words.joined(separator: ", "))
    return .success
  }
}

/// A corrected date, or none.
struct DateCorrectionArgument {
  /// The word as the user wrote it.
  let text: String
  /// nil = the date in the file.
  let correction: AssetDate?

  init(_ word: String) throws(ArgumentProblem) {
    text = word
    if word.lowercased() == "original" {
      correction = nil
      return
    }
    guard let date = AssetDate(iso8601: word) else {
      throw ArgumentProblem(
        "'\(word)' is not a date of the years 0001 to 9999; expected one such as 2019-05-03T12:00+02:00, or original"
      )
    }
    correction = date
  }
}

/// A corrected location, or none.
struct PlaceCorrectionArgument {
  /// The word as the user wrote it.
  let text: String
  /// nil = the location in the file.
  let correction: LocationCorrection?

  init(_ word: String) throws(ArgumentProblem) {
    text = word
    switch word.lowercased() {
    case "original": correction = nil
    case "none": correction = .removed
    default:
      let numbers = word.split(separator: ",", omittingEmptySubsequences: false).map { part in
        Double(part.drop(while: \.isWhitespace)) ?? .nan
      }
      let location = Location(latitude: numbers[0], longitude: numbers.count == 2 ? numbers[1] : .nan)
      guard location.isOnEarth else {
        throw ArgumentProblem(
          "'\(word)' is not a place; expected degrees from -90,-180 to 90,180 such as 38.72,-9.14, none or original"
        )
      }
      correction = .location(location)
    }
  }
}

/// The photos that a command changes.
struct PhotoArguments: ParsableArguments, PhotoWords {
  @Argument(
    help: ArgumentHelp(
      "A photo or video, a folder (all photos below it), or - for paths on standard input; a file:// URI or an identifier that --format ids printed does for a path.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false
}

/// The name of the album that a command changes, and photos.
struct AlbumPhotoArguments: ParsableArguments, PhotoWords {
  @Argument(
    help: ArgumentHelp(
      "The album's name, then photos: files, folders (all photos below them), or - for paths on standard input; a file:// URI or an identifier does for a path.",
      valueName: "album file"),
    completion: .file())
  var words: [String] = []

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false
}

/// The arguments of a command that name photos.
protocol PhotoWords {
  /// Whether paths on standard input are NUL-separated.
  var read0: Bool { get }
}

extension PhotoWords {
  /// Resolves the arguments; `-` reads paths from standard input.
  /// - Parameter command: the command's name, for the error if no file is named.
  /// - Throws: `Failure` if one of them does not exist.
  func sourceWords(_ files: [String], of command: String) throws(Failure) -> [SourceWord] {
    guard !files.isEmpty else {
      throw .usage("\(command): name a photo, or - for paths on standard input")
    }
    var words: [SourceWord] = []
    for word in ArgumentFolding.words(files) {
      if word == "-" {
        words += try SourceWord.wordsFromInput(isNulSeparated: read0)
      } else {
        words.append(SourceWord(ArgumentBytes.bytes(word)))
      }
    }
    SourceWord.locate(&words)
    if let issue = words.lazy.compactMap(\.issue).first { throw .error("\(issue)") }
    return words
  }
}

/// The options of all commands that change the library.
struct ChangeArguments: ParsableArguments {
  @Flag(help: "Print what would change, and change nothing.")
  var dryRun = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: text prints only with --dry-run. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  @OptionGroup var client: ClientArguments
}

/// The photos that a command names, and the library that it changes.
struct ChangedLibrary {
  private let photos: PhotoLibrary
  private let identifiers: [LocalIdentifier]
  /// The client's name, for messages.
  private let client: String
  private let dryRun: Bool
  private let format: DocumentFormat?

  /// Opens the photos, and checks that the client has access and changes are allowed.
  /// - Parameters:
  ///   - words: the photos to change; empty for commands that change only albums.
  ///   - skip: called with the error of each word that is not a photo, which then is skipped; nil = it is thrown.
  /// - Throws: `Failure` if one of them is not a photo, or changes are not allowed.
  init(
    _ words: [SourceWord], _ change: ChangeArguments, _ settings: SettingsArguments,
    skip: ((AssetError) -> Void)? = nil
  ) throws(Failure) {
    try self.init(words, change.client, settings, dryRun: change.dryRun, format: change.format, skip: skip)
  }

  /// Opens photos that were just saved, to add them to an album.
  init(
    saved files: [FilePath], _ client: ClientArguments, _ settings: SettingsArguments
  ) throws(Failure) {
    try self.init(files.map { SourceWord($0.bytes) }, client, settings, dryRun: false, format: nil)
  }

  /// Opens the library without changing it, to read its albums.
  init(_ client: ClientArguments, _ settings: SettingsArguments) throws(Failure) {
    try self.init([], client, settings, dryRun: true, format: nil)
  }

  private init(
    _ words: [SourceWord], _ client: ClientArguments, _ settings: SettingsArguments, dryRun: Bool,
    format: DocumentFormat?, skip: ((AssetError) -> Void)? = nil
  ) throws(Failure) {
    (self.dryRun, self.format) = (dryRun, format)
    // The configuration determines access, and whether changes are allowed.
    let file = try SettingsFile(settings)
    if !dryRun { try file.requireChanges() }
    let access = try ClientAccess(client, simulated: client.authorize)
    self.client = access.consentRequest.client
    var decision = access.decision
    switch decision.readWrite {
    case .authorized, .limited: break
    case .denied, .restricted, .notDetermined: throw access.refusal(decision.readWrite)
    }
    let allowed = ArgumentFolding.words(client.allow).map { PathArgument.path($0) }
    if !allowed.isEmpty {
      guard client.authorize == .limited else {
        throw .usage("--allow: only together with --authorize limited")
      }
      let assets = try AllowedFiles.assets(at: allowed)
      decision.allowed = AllowedAssets(
        Set(assets.map(\.identifier)),
        successorFiles: Dictionary(
          assets.compactMap { asset in asset.successorFile.map { (asset.identifier, $0) } },
          uniquingKeysWith: { first, _ in first }))
    }
    let paths = words.flatMap(\.paths)
    let remotes = ServerAddress.outermost(words.compactMap(\.remote))
    let store = LibraryBackend.open(
      paths, isKept: true, includesPartners: true,
      writesSidecars: file.settings.favorites == .sidecar, remotes: remotes)
    store.waitUntilComplete()
    photos = PhotoLibrary(
      store, keepsThumbnails: false, decision: decision, consentRequest: access.consentRequest,
      consent: NoConsentPresenter(),
      // Without a client the user's own command; a client's permission includes marks and albums.
      asksBefore: access.client == nil ? [] : [.deletion, .revert, .restoration])
    identifiers = try Self.identifiers(of: paths + remotes.map { FilePath($0.text) }, in: store, skip: skip)
  }

  /// Returns the photos at paths, without duplicates: in the order of the paths, those of a folder by date.
  private static func identifiers(
    of paths: [FilePath], in store: any AssetStore, skip: ((AssetError) -> Void)?
  ) throws(Failure) -> [LocalIdentifier] {
    var known: Set<LocalIdentifier> = []
    var identifiers: [LocalIdentifier] = []
    var options = FetchOptions(sort: .oldest)
    options.includeHiddenAssets = true
    for (path, found) in zip(paths, store.identifiers(at: paths)) {
      do throws(AssetError) {
        let found = try found.get()
        if found.isEmpty {
          throw AssetError(String(decoding: path.bytes, as: UTF8.self), "no photos found")
        }
        let new = found.filter { known.insert($0).inserted }
        guard new.count > 1 else {
          identifiers += new
          continue
        }
        let assets = store.assets(withLocalIdentifiers: Array(new), options: options)
        identifiers += assets.sorted(by: AssetSort.oldest.areInIncreasingOrder).map(\.id)
      } catch {
        guard let skip else { throw .error("\(error)") }
        skip(error)
      }
    }
    return identifiers
  }

  /// The current state of the photos that the client may see.
  var assets: [Asset] { assets(identifiers) }

  /// The user's albums.
  var albums: UserAlbums { photos.manager.userAlbums }

  private func assets(_ identifiers: [LocalIdentifier]) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return Array(photos.manager.fetchAssets(withLocalIdentifiers: identifiers, options: options))
  }

  /// Returns the album with a title or an identifier.
  /// - Throws: `Failure` if there is none.
  func album(_ name: String) throws(Failure) -> UserAlbum {
    let albums = albums
    if let album = albums.album(titled: name) ?? albums[LocalIdentifier(name)] { return album }
    let nearest = NearestWord.of(name, in: albums.all.map(\.title)).map { "; did you mean '\($0)'?" }
    throw .error("\(Wording.name(name)): you have no album of this name\(nearest ?? "")")
  }

  /// Appends the photos to an album of the user.
  /// - Parameter creates: whether to create the album if it does not exist.
  /// - Returns: the album as it was before, and the photos that were added.
  /// - Throws: `Failure` if the album does not exist, or the change can't be made.
  @discardableResult
  func addPhotos(to name: String, creates: Bool) throws(Failure) -> (album: UserAlbum, added: [Asset]) {
    var changes: [AssetChange] = []
    let album: UserAlbum
    if creates, albums.album(titled: name) == nil {
      album = UserAlbum(id: UserAlbum.newIdentifier(), title: name)
      changes.append(.createAlbum(album.id, title: name))
    } else {
      album = try self.album(name)
    }
    let known = Set(album.assets)
    let added = assets.filter { !known.contains($0.id) }
    changes.append(.addAssets(added.map(\.id), to: album.id))
    try perform(changes)
    return (album, added)
  }

  /// Makes changes, all or none; does nothing in a dry run.
  /// - Throws: `Failure` if the client may not see one of the photos, or a change can't be made.
  func perform(_ changes: [AssetChange]) throws(Failure) {
    // Refuse photos that the client may not see, rather than skipping them.
    let seen = Set(assets.map(\.id))
    if let unseen = identifiers.first(where: { !seen.contains($0) }) {
      throw .error("\(AssetError(unseen.rawValue, "not among the photos that '\(client)' may see"))")
    }
    if dryRun || changes.isEmpty { return }
    do throws(AssetError) {
      try photos.manager.performChanges(changes)
    } catch {
      throw .error("\(error)")
    }
  }

  /// Prints the changes: as JSON, or in a dry run as text.
  /// - Parameters:
  ///   - assets: the changed photos.
  ///   - words: the change to each of them.
  ///   - albums: the changed albums; printed in their current state, or as given if they no longer exist.
  func report(_ assets: [Asset] = [], words: String, albums: [UserAlbum] = []) throws(Failure) {
    var report = ChangeReport(dryRun: dryRun, format)
    report.add(assets, words: words, albums: albums, in: self)
    try report.print()
  }
}

/// Collects and prints the changes of a command: as one JSON document, or in a dry run as text.
struct ChangeReport {
  private let format: DocumentFormat?
  private var document: ChangeDocument
  private var text: [UInt8] = []

  fileprivate init(dryRun: Bool, _ format: DocumentFormat?) {
    self.format = format
    document = ChangeDocument(dryRun: dryRun)
  }

  init(_ change: ChangeArguments) { self.init(dryRun: change.dryRun, change.format) }

  /// Adds changes; the parameters are those of `ChangedLibrary.report`.
  mutating func add(
    _ assets: [Asset], words: String, albums: [UserAlbum], in library: ChangedLibrary
  ) {
    let now = library.albums
    let albums = albums.map { now[$0.id] ?? $0 }
    document.add(albums, assets)
    for asset in assets {
      let path =
        asset.primaryResource.map { String(decoding: $0.path.bytes, as: UTF8.self) } ?? asset.id.rawValue
      text += Array("\(OutputText.escaped(path)): \(words)\n".utf8)
    }
    for album in albums where assets.isEmpty {
      text += Array("\(OutputText.escaped(album.title)): \(words)\n".utf8)
    }
  }

  /// Prints what was added.
  func print() throws(Failure) {
    let output: [UInt8]
    switch format {
    case nil, .text: output = document.dryRun ? text : []
    case .json: output = try JSONText.line(document) + [0x0A]
    }
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
  }
}

/// The changes of a command as JSON.
private struct ChangeDocument: Encodable {
  struct Album: Encodable {
    var localIdentifier: String
    var title: String
    var assetCount: Int
  }

  var version = 1
  var dryRun: Bool
  var albums: [Album] = []
  /// The changed photos in their current state, which in a dry run is the old one.
  var assets: [AssetDocument] = []

  init(dryRun: Bool) { self.dryRun = dryRun }

  mutating func add(_ albums: [UserAlbum], _ assets: [Asset]) {
    self.albums += albums.map {
      Album(localIdentifier: $0.id.rawValue, title: $0.title, assetCount: $0.assets.count)
    }
    self.assets += assets.map { AssetDocument(AssetRecord($0)) }
  }
}
