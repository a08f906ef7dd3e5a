import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary
import PhotoPicker
import Results
import System
import SystemPackage

/// `tpick albums add`: adds photos to one of the user's albums.
struct AlbumsAdd: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "add",
    abstract: "Add photos to one of your albums.",
    usage: "tpick albums add [options] album file ...",
    discussion: """
      Appends the photos; those already in the album stay in place. If one of the files is not a photo, nothing is added.
      """)

  @OptionGroup var photos: AlbumPhotoArguments

  @Flag(help: "Create the album if it does not exist.")
  var create = false

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let (name, files) = try AlbumName.first(of: photos.words, "albums add")
    let library = try ChangedLibrary(try photos.sourceWords(files, of: "albums add"), change, settings)
    let (album, added) = try library.addPhotos(to: name, creates: create)
    try library.report(added, words: "added to \(album.title)", albums: [album])
    return .success
  }
}

/// `tpick albums remove`: removes photos from one of the user's albums.
struct AlbumsRemove: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "remove",
    abstract: "Remove photos from one of your albums.",
    usage: "tpick albums remove [options] album file ...",
    discussion: "The photos stay in the library.")

  @OptionGroup var photos: AlbumPhotoArguments

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let (name, files) = try AlbumName.first(of: photos.words, "albums remove")
    let library = try ChangedLibrary(try photos.sourceWords(files, of: "albums remove"), change, settings)
    let album = try library.album(name)
    let known = Set(album.assets)
    let removed = library.assets.filter { known.contains($0.id) }
    try library.perform([.removeAssets(removed.map(\.id), from: album.id)])
    try library.report(removed, words: "removed from \(album.title)", albums: [album])
    return removed.isEmpty ? .nothing : .success
  }
}

/// `tpick albums create`: creates empty albums.
struct AlbumsCreate: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "create",
    abstract: "Create empty albums.",
    usage: "tpick albums create [options] album ...")

  @Argument(help: ArgumentHelp("The album's name, unique among your albums.", valueName: "album"))
  var names: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if names.isEmpty { throw .usage("albums create: name an album") }
    let library = try ChangedLibrary([], change, settings)
    var albums: [UserAlbum] = []
    for name in ArgumentFolding.words(names) {
      albums.append(UserAlbum(id: UserAlbum.newIdentifier(), title: try AlbumName.text(name)))
    }
    try library.perform(albums.map { .createAlbum($0.id, title: $0.title) })
    try library.report(words: "new album", albums: albums)
    return .success
  }
}

/// `tpick albums rename`: renames one of the user's albums.
struct AlbumsRename: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "rename",
    abstract: "Rename one of your albums.",
    usage: "tpick albums rename [options] album name")

  @Argument(help: ArgumentHelp("The album's name and its new name.", valueName: "album name"))
  var names: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let names = ArgumentFolding.words(names)
    guard names.count == 2 else { throw .usage("albums rename: expected the album's name and a new one") }
    let library = try ChangedLibrary([], change, settings)
    let album = try library.album(names[0])
    let title = try AlbumName.text(names[1])
    try library.perform([.renameAlbum(album.id, title: title)])
    try library.report(words: "renamed to \(title)", albums: [album])
    return .success
  }
}

/// `tpick albums move`: changes an album's position among the user's albums.
struct AlbumsMove: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "move",
    abstract: "Change the position of one of your albums.",
    usage: "tpick albums move [options] album number")

  @Argument(
    help: ArgumentHelp(
      "The album's name and its new position among your albums: 1 = the first.",
      valueName: "album number"))
  var words: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let words = ArgumentFolding.words(words)
    guard words.count == 2, let number = Int(words[1]), number > 0 else {
      throw .usage("albums move: expected the album's name and its new position, 1 for the first")
    }
    let library = try ChangedLibrary([], change, settings)
    let album = try library.album(words[0])
    try library.perform([.moveAlbum(album.id, to: number - 1)])
    try library.report(words: "moved to position \(number)", albums: [album])
    return .success
  }
}

/// `tpick albums delete`: deletes albums of the user, but no photos.
struct AlbumsDelete: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "delete",
    abstract: "Delete albums, but not their photos.",
    usage: "tpick albums delete [options] album ...")

  @Argument(help: ArgumentHelp("The album's name.", valueName: "album")) var names: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if names.isEmpty { throw .usage("albums delete: name an album") }
    let library = try ChangedLibrary([], change, settings)
    let albums = try ArgumentFolding.words(names).map { name throws(Failure) in try library.album(name) }
    try library.perform(albums.map { .deleteAlbum($0.id) })
    try library.report(words: "deleted, its photos stay", albums: albums)
    return .success
  }
}

/// `tpick albums export`: writes the user's albums as lists of paths.
struct AlbumsExport: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "export",
    abstract: "Write your albums as text files of paths.",
    usage: "tpick albums export [options] dir [album ...]",
    discussion: """
      Writes a file album.txt into the folder for each album, or only for those that are named. It has one path per line, \
      in the album's order (a path with a line break as a file:// URI). An existing file with that name is replaced. tpick \
      albums import reads the files again, also on another machine with the same paths.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder, which is created if necessary, and the names of albums. Default: all albums.",
      valueName: "dir album"),
    completion: .directory)
  var words: [String] = []

  @OptionGroup var client: ClientArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let words = ArgumentFolding.words(words)
    guard let word = words.first else { throw .usage("albums export: name a folder") }
    let folder = try RemoteWord.writtenPath(word, of: "albums export")
    let library = try ChangedLibrary(client, settings)
    var albums = library.albums.all
    if words.count > 1 {
      albums = try words.dropFirst().map { name throws(Failure) in try library.album(name) }
    }
    if albums.isEmpty { throw Failure(status: .nothing, message: "albums export: you have no albums") }
    do throws(AssetError) {
      _ = try TargetFolder(folder)
    } catch {
      throw .error("\(error)")
    }
    let locator = AssetLocator(UserDirectories.locations, library: [UserDirectories.pictures])
    var status = ExitStatus.success
    var taken: Set<String> = []
    for album in albums {
      let files = locator.files(of: album.assets)
      var lines: [UInt8] = []
      var missing = 0
      for asset in album.assets {
        guard let path = files[asset]?.first?.absolute else {
          missing += 1
          continue
        }
        let bytes = path.bytes
        lines += (bytes.contains(0x0A) ? Array(FileURI.text(for: bytes).utf8) : bytes) + [0x0A]
      }
      let writing = try OutputFile(folder.appending(AlbumName.fileName(album.title, &taken))).begin()
      try writing.write(lines)
      try writing.finish()
      if missing > 0 {
        Messages.warn(
          "\(album.title): \(Wording.count(missing, "photo")) not found and left out")
        status = .failure
      }
    }
    return status
  }
}

/// `tpick albums import`: creates albums from lists of paths.
struct AlbumsImport: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "import",
    abstract: "Create albums from text files of paths.",
    usage: "tpick albums import [options] file ...",
    discussion: """
      The album is named like the file without .txt, and created if it does not exist. The photos are added in the order \
      of the lines. Files that are missing or not photos are reported and skipped; the exit status is then 2.
      """)

  @Argument(
    help: ArgumentHelp("A text file with one path, file:// URI or identifier per line.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if files.isEmpty { throw .usage("albums import: name a file") }
    var status = ExitStatus.success
    var report = ChangeReport(change)
    for word in ArgumentFolding.words(files) {
      let path = PathArgument.path(word)
      let bytes: [UInt8]
      do {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        bytes = try file.closeAfter { try FileText.bytes(of: file) }
      } catch {
        Messages.warn("\(Wording.name(word)): \(error)")
        status = .failure
        continue
      }
      var words = bytes.split(separator: 0x0A).map { SourceWord(Array($0)) }
      SourceWord.locate(&words)
      for issue in words.compactMap(\.issue) {
        Messages.warn("\(issue)")
        status = .failure
      }
      let library = try ChangedLibrary(words.filter { $0.issue == nil }, change, settings) { problem in
        Messages.warn("\(problem)")
        status = .failure
      }
      let title = try AlbumName.text(ofFile: path)
      let (album, added) = try library.addPhotos(to: title, creates: true)
      report.add(added, words: "added to \(title)", albums: [album], in: library)
    }
    try report.print()
    return status
  }
}

/// Converts the names of albums from arguments, and from and to file names.
enum AlbumName {
  private static let suffix = ".txt"

  /// Splits arguments into the name of an album, which comes first, and the rest.
  /// - Throws: `Failure` if there are no arguments, or the name is not UTF-8.
  static func first(
    of words: [String], _ command: String
  ) throws(Failure) -> (name: String, rest: [String]) {
    var words = ArgumentFolding.words(words)
    guard !words.isEmpty else { throw .usage("\(command): name an album, and then photos") }
    return (try text(words.removeFirst()), words)
  }

  /// Returns the album's name that an argument contains.
  /// - Throws: `Failure` if it is not UTF-8.
  static func text(_ word: String) throws(Failure) -> String {
    guard let text = String(validating: ArgumentBytes.bytes(word), as: UTF8.self) else {
      throw .usage("\(OutputText.escaped(word)): the name of an album must be UTF-8")
    }
    return text
  }

  /// Returns the album's name for an imported file: the file's name without `.txt`.
  static func text(ofFile path: FilePath) throws(Failure) -> String {
    var name = path.nameBytes
    if name[...].hasFileExtension("txt") { name.removeLast(suffix.utf8.count) }
    return try text(ArgumentBytes.text(Array(name)))
  }

  /// Returns the name of an album's exported file, distinct from those in `taken` in any case of letters.
  static func fileName(_ title: String, _ taken: inout Set<String>) -> String {
    let name = String(title.map { $0 == "/" ? "-" : $0 })
    let stem = name.first == "." ? "_" + name : name
    var number = 1
    while true {
      let end = (number > 1 ? " (\(number))" : "") + suffix
      var start = stem
      while start.utf8.count + end.utf8.count > 255 { start.removeLast() }
      if taken.insert((start + end).lowercased()).inserted { return start + end }
      number += 1
    }
  }
}
