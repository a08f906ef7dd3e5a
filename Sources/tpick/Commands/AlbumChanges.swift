import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary
import PhotoPicker
import Results
import System
import SystemPackage

/// `tpick albums add`: puts photos into an album of the user's.
struct AlbumsAdd: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "add",
    abstract: "Put photos into an album of yours.",
    usage: "tpick albums add [options] album file ...",
    discussion: """
      They come to stand at its end; those that are in it stay where they are. If one of the files is no photo, nothing is \
      added.
      """)

  @OptionGroup var photos: AlbumPhotoArguments

  @Flag(help: "Make the album if there is none of this name.")
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

/// `tpick albums remove`: takes photos out of an album of the user's.
struct AlbumsRemove: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "remove",
    abstract: "Take photos out of an album of yours.",
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

/// `tpick albums create`: makes empty albums.
struct AlbumsCreate: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "create",
    abstract: "Make empty albums.",
    usage: "tpick albums create [options] album ...")

  @Argument(help: ArgumentHelp("The album's name, which no other of yours has.", valueName: "album"))
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

/// `tpick albums rename`: gives an album of the user's another name.
struct AlbumsRename: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "rename",
    abstract: "Give an album of yours another name.",
    usage: "tpick albums rename [options] album name")

  @Argument(help: ArgumentHelp("The album's name, and the new one.", valueName: "album name"))
  var names: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let names = ArgumentFolding.words(names)
    guard names.count == 2 else { throw .usage("albums rename: the album's name and a new one are expected") }
    let library = try ChangedLibrary([], change, settings)
    let album = try library.album(names[0])
    let title = try AlbumName.text(names[1])
    try library.perform([.renameAlbum(album.id, title: title)])
    try library.report(words: "renamed to \(title)", albums: [album])
    return .success
  }
}

/// `tpick albums move`: moves an album among the user's albums.
struct AlbumsMove: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "move",
    abstract: "Move an album of yours among the others.",
    usage: "tpick albums move [options] album number")

  @Argument(
    help: ArgumentHelp(
      "The album's name, and the place that it gets among your albums: 1 = the first.",
      valueName: "album number"))
  var words: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let words = ArgumentFolding.words(words)
    guard words.count == 2, let number = Int(words[1]), number > 0 else {
      throw .usage("albums move: the album's name and its new place are expected, 1 for the first")
    }
    let library = try ChangedLibrary([], change, settings)
    let album = try library.album(words[0])
    try library.perform([.moveAlbum(album.id, to: number - 1)])
    try library.report(words: "moved to place \(number)", albums: [album])
    return .success
  }
}

/// `tpick albums delete`: deletes albums of the user's, and no photo.
struct AlbumsDelete: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "delete",
    abstract: "Delete albums of yours; their photos stay.",
    usage: "tpick albums delete [options] album ...")

  @Argument(help: ArgumentHelp("The album's name.", valueName: "album")) var names: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if names.isEmpty { throw .usage("albums delete: name an album") }
    let library = try ChangedLibrary([], change, settings)
    let albums = try ArgumentFolding.words(names).map { name throws(Failure) in try library.album(name) }
    try library.perform(albums.map { .deleteAlbum($0.id) })
    try library.report(words: "deleted; no photo is", albums: albums)
    return .success
  }
}

/// `tpick albums export`: writes albums of the user's as lists of paths.
struct AlbumsExport: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "export",
    abstract: "Write albums of yours as text files of paths.",
    usage: "tpick albums export [options] dir [album ...]",
    discussion: """
      Writes album.txt into the folder for each album, or for those that are named, with a path a line in the album's order \
      (a path with a line break as a file:// URI). A file of that name is replaced. tpick albums import reads them again, \
      also on another machine that has the same paths.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder, which is made if need be, and the names of albums. Default: all albums.",
      valueName: "dir album"),
    completion: .directory)
  var words: [String] = []

  @OptionGroup var client: ClientArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let words = ArgumentFolding.words(words)
    guard let word = words.first else { throw .usage("albums export: name a folder") }
    let library = try ChangedLibrary(client, settings)
    var albums = library.albums.all
    if words.count > 1 {
      albums = try words.dropFirst().map { name throws(Failure) in try library.album(name) }
    }
    if albums.isEmpty { throw Failure(status: .nothing, message: "albums: you have none") }
    let folder = PathArgument.path(word)
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
          "\(album.title): \(Wording.count(missing, "photo")) of it can't be found, and is left out")
        status = .failure
      }
    }
    return status
  }
}

/// `tpick albums import`: makes albums of lists of paths.
struct AlbumsImport: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums, "import",
    abstract: "Make albums of text files of paths.",
    usage: "tpick albums import [options] file ...",
    discussion: """
      The album is called like the file without .txt, and made if there is none. The photos are added in the order of the \
      lines; a line that leads to no photo is named, the others count.
      """)

  @Argument(
    help: ArgumentHelp("A text file with a path, a file:// URI or an identifier a line.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var change: ChangeArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if files.isEmpty { throw .usage("albums import: name a file") }
    var status = ExitStatus.success
    for word in ArgumentFolding.words(files) {
      let path = PathArgument.path(word)
      let bytes: [UInt8]
      do {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        bytes = try file.closeAfter { try FileText.bytes(of: file) }
      } catch {
        throw .error("\(Wording.name(word)): \(error)")
      }
      var words = bytes.split(separator: 0x0A).map { SourceWord(Array($0)) }
      SourceWord.locate(&words)
      for issue in words.compactMap(\.issue) {
        Messages.warn("\(issue)")
        status = .failure
      }
      let library = try ChangedLibrary(words.filter { $0.issue == nil }, change, settings)
      let title = try AlbumName.text(ofFile: path)
      let (album, added) = try library.addPhotos(to: title, creates: true)
      try library.report(added, words: "added to \(title)", albums: [album])
    }
    return status
  }
}

/// The names of albums as arguments and as files.
enum AlbumName {
  private static let suffix = ".txt"

  /// The first word, the name of an album, and the others.
  static func first(
    of words: [String], _ command: String
  ) throws(Failure) -> (name: String, rest: [String]) {
    var words = ArgumentFolding.words(words)
    guard !words.isEmpty else { throw .usage("\(command): name an album, and then photos") }
    return (try text(words.removeFirst()), words)
  }

  /// The name that a word of the command line is.
  static func text(_ word: String) throws(Failure) -> String {
    guard let text = String(validating: ArgumentBytes.bytes(word), as: UTF8.self) else {
      throw .usage("\(OutputText.escaped(word)): an album's name is UTF-8")
    }
    return text
  }

  /// The name of the album that a file is read as.
  static func text(ofFile path: FilePath) throws(Failure) -> String {
    var name = path.nameBytes
    if name[...].hasFileExtension("txt") { name.removeLast(suffix.utf8.count) }
    return try text(ArgumentBytes.text(Array(name)))
  }

  /// The name of the file that an album is written to, another one for each.
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
