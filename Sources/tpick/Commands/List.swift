import ArgumentParser
import AssetLibrary
import FolderLibrary

/// `tpick list [OPTIONS] [SOURCE ...]`: prints the matching assets.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick list",
    abstract: "Print the paths of the matching assets, without a screen.",
    usage: "tpick list [options] [source ...]",
    version: ProgramVersion.current)

  @OptionGroup var library: LibraryArguments

  func perform() throws(Failure) -> ExitStatus {
    let request = try LibraryRequest(library)
    let printer = try ResultPrinter(format: library.format, isNulTerminated: library.print0)
    try request.requireAccess()
    let opened = try Library(request, consentRequest: ConsentRequest(client: "tpick"), consent: NobodyToAsk())
    opened.store.waitUntilComplete()
    let album = try opened.album(named: request.album)
    let assets = opened.manager.fetchAssets(in: album, options: request.fetchOptions)
    var count = 0
    let printable = assets.lazy.map { $0.presenting(request.version) }.filter { asset in
      guard isPrintable(asset, printer) else { return false }
      count += 1
      return true
    }
    try printer.print(printable)
    opened.reportIssues()
    if count > 0 { return .success }
    return opened.isUnreadable ? .failure : .nothing
  }

  /// Whether an asset can be printed; warns if not.
  private func isPrintable(_ asset: Asset, _ printer: ResultPrinter) -> Bool {
    let name = { String(decoding: asset.pathBytes, as: UTF8.self) }
    if let defect = asset.defect {
      Messages.warn("\(name()): \(defect)")
      return false
    }
    if !printer.canPrint(asset) {
      Messages.warn("\(name()): has a line break in its name: use --print0")
      return false
    }
    return true
  }
}
