import ArgumentParser
import AssetLibrary
import FolderLibrary

/// `tpick albums [OPTIONS] [SOURCE ...]`: prints the collections with their counts.
struct Albums: Subcommand {
  static let configuration = CommandConfiguration(
    of: .albums,
    usage: "tpick albums [options] [source ...]",
    discussion: """
      Prints smart albums, folders with all below them and moments (photos taken at about the same time and \
      place), if they are not empty.
      """)

  @OptionGroup var library: SourceArguments

  @OptionGroup var client: ClientArguments

  @OptionGroup var settings: SettingsArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these types: smart, folders, moments; comma-separated.", valueName: "kinds"),
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
