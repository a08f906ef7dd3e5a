import ArgumentParser
import AssetLibrary
import FolderLibrary
import Results

/// `tpick albums [OPTIONS] [SOURCE ...]`: prints the collections with their counts.
struct Albums: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums,
    usage: "tpick albums [options] [source ...]",
    discussion: """
      Prints smart albums, your own albums, folders with all below them and moments (photos taken at about the same time \
      and place), if they are not empty. The actions change your own albums, which hold photos of any folders; no file is \
      changed by them. For a folder that is called like an action write ./add.
      """,
    subcommands: [
      AlbumsAdd.self, AlbumsRemove.self, AlbumsCreate.self, AlbumsRename.self, AlbumsMove.self,
      AlbumsDelete.self,
      AlbumsExport.self, AlbumsImport.self,
    ])

  @OptionGroup var library: SourceArguments

  @OptionGroup var client: ClientArguments

  @OptionGroup var settings: SettingsArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only these types: smart, folders (and your own), moments; comma-separated.", valueName: "kinds"),
    completion: .list(CollectionTypes.kinds.map(\.name)), transform: CollectionTypes.init(argument:))
  var type: CollectionTypes?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: ListFormat?

  func perform() throws(Failure) -> ExitStatus {
    var request = try LibraryRequest(library, client)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    let types = type ?? .all
    try request.requireAccess()
    let opened = try Library(request)
    defer { opened.endAccess() }
    opened.store.waitUntilComplete()
    try opened.requireReadable()
    let options = request.fetchOptions
    let collections = opened.manager.fetchCollections(of: types, options: options)
    let output: [UInt8]
    switch format {
    case nil, .text:
      output = AlbumText.text(for: collections)
    case .json, .jsonl:
      let documents = collections.map { collection in
        CollectionDocument(
          collection,
          keyAssets: opened.manager.fetchKeyAssets(in: collection.id, options: options).identifiers)
      }
      if format == .jsonl {
        var lines: [UInt8] = []
        for document in documents { lines += try JSONText.line(document) + [0x0A] }
        output = lines
      } else {
        let lists =
          types.contains(.album)
          ? opened.manager.fetchCollectionLists(options: options).map(ListDocument.init) : []
        output =
          try JSONText.line(CollectionDocument.Envelope(collections: documents, collectionLists: lists))
          + [
            0x0A
          ]
      }
    }
    let isWhole = opened.reportIssues()
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    if opened.failsStrictly(isWhole) { return .failure }
    return collections.isEmpty ? .nothing : .success
  }
}

/// Formats the albums as readable lines: count and title, with nested folders indented and titles escaped.
enum AlbumText {
  static func text(for collections: some Sequence<AssetCollection>) -> [UInt8] {
    let lines = collections.map { collection in
      let depth = collection.type == .album ? collection.depth : 0
      return (
        count: collection.estimatedAssetCount.map(String.init) ?? "?",
        title: String(repeating: "  ", count: depth) + collection.title
      )
    }
    let width = lines.map(\.count.count).max() ?? 0
    var output = ""
    for (count, title) in lines {
      let padding = String(repeating: " ", count: width - count.count)
      output += "\(padding)\(count)  \(OutputText.escaped(title))\n"
    }
    return Array(output.utf8)
  }
}

/// A collection as JSON, with PhotoKit's names as keys; unknown values are omitted.
private struct CollectionDocument: Encodable {
  var localIdentifier: String
  var title: String
  var type: String
  var subtype: String
  var estimatedAssetCount: Int?
  var startDate: String?
  var endDate: String?
  /// The identifier of the parent folder.
  var parent: String?
  /// The path of a folder, lossy if it is not UTF-8.
  var path: String?
  var keyAssets: [String]

  init(_ collection: AssetCollection, keyAssets: [LocalIdentifier]) {
    localIdentifier = collection.localIdentifier.rawValue
    title = collection.title
    type = collection.type.name
    subtype = "\(collection.subtype)"
    estimatedAssetCount = collection.estimatedAssetCount
    startDate = collection.startDate?.iso8601
    endDate = collection.endDate?.iso8601
    parent = collection.parent?.rawValue
    path = collection.path.map { String(decoding: $0.bytes, as: UTF8.self) }
    self.keyAssets = keyAssets.map(\.rawValue)
  }

  /// The whole JSON document.
  struct Envelope: Encodable {
    var version = 1
    var collections: [CollectionDocument]
    var collectionLists: [ListDocument]
  }
}

/// A folder of folders as JSON.
private struct ListDocument: Encodable {
  var localIdentifier: String
  var title: String
  var parent: String?

  init(_ list: CollectionList) {
    localIdentifier = list.localIdentifier.rawValue
    title = list.title
    parent = list.parent?.rawValue
  }
}

extension AssetCollectionType {
  var name: String {
    switch self {
    case .album: "album"
    case .smartAlbum: "smartAlbum"
    case .moment: "moment"
    }
  }
}
