import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary

/// `tpick list [OPTIONS] [SOURCE ...]`: prints the matching assets.
struct List: Subcommand {
  static let configuration = CommandConfiguration(
    of: .list,
    usage: "tpick list [options] [source ...]")

  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("The maximum number of results; 0 = no limit. Default: 0.", valueName: "number"),
    transform: NumberArguments.count)
  var limit: Int?

  @OptionGroup var required: RequirementArguments

  @OptionGroup var library: LibraryArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    var request = try LibraryRequest(library)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    let requirements = try required.requirements()
    let printer = try ResultPrinter(library, remotes: .remote)
    var export = try library.copies.target()
    export?.verbosity = request.verbosity
    try request.requireAccess()
    let opened = try Library(request)
    defer { opened.endAccess() }
    opened.store.waitUntilComplete()
    try opened.requireReadable()
    let album = try opened.album(named: request.album)
    var options = request.fetchOptions
    if album?.isUserAlbum ?? false, library.sort == nil {
      options.sortDescriptors = (request.isReversed ? AssetSort.given.reversed : .given).descriptors
    }
    let assets = opened.manager.fetchAssets(in: album?.id, options: options)
    var count = 0
    var broken: [AssetError] = []
    var isIncomplete = false
    let printable = assets.lazy.filter { asset in
      asset.isBroken || requirements.shortfall(of: asset) == nil
    }.map { $0.presenting(request.version) }.filter { asset in
      let name = { asset.subject }
      if let defect = asset.defect {
        broken.append(AssetError(name(), defect))
        return false
      }
      // A copy may get another name.
      if export == nil, !printer.canPrint(asset) {
        // An error, because the list is incomplete.
        Messages.warn("\(name()): has a line break in its name: use --print0")
        isIncomplete = true
        return false
      }
      count += 1
      return true
    }
    if try !handOver(printable, from: opened, printer, export) { isIncomplete = true }
    let isWhole = opened.reportIssues(broken)
    if isIncomplete || opened.failsStrictly(isWhole) { return .failure }
    return count > 0 ? .success : .nothing
  }

  /// Prints assets, or their copies, up to the limit.
  /// - Parameter export: the folder and options of copies; nil if nothing is copied.
  /// - Returns: whether all of them were printed.
  private func handOver(
    _ assets: some Sequence<Asset>, from opened: Library, _ printer: ResultPrinter, _ export: ExportTarget?
  ) throws(Failure) -> Bool {
    let reader = RecordReader(opened.manager)
    let wanted = limit.flatMap { $0 > 0 ? $0 : nil } ?? .max
    if let export {
      let (copies, isComplete, interruption) = try export.export(
        Array(assets.prefix(wanted)), from: opened.store, reader, acceptsLineBreaks: printer.acceptsLineBreaks
      )
      try printer.print(copies, from: reader)
      // After an interruption, complete copies have been printed.
      interruption?.endIfSignaled()
      return isComplete
    }
    if printer.needsOriginals, !opened.hasOnlyLocalSources {
      let (here, failures) = opened.downloadOriginals(
        ofEach: Array(assets.prefix(wanted)), withAllFiles: library.copies.resources == .all)
      for failure in failures { Messages.warn("\(failure)") }
      try printer.print(here, from: reader)
      return failures.isEmpty
    }
    try printer.print(assets.prefix(wanted), from: reader)
    return true
  }
}
