import ArgumentParser
import AssetLibrary
import FolderLibrary

/// `tpick list [OPTIONS] [SOURCE ...]`: the same assets without a screen.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick list",
    abstract: "Print the paths of the matching assets, no screen.",
    usage: "tpick list [options] [source ...]",
    version: Tpick.version)

  @OptionGroup var library: LibraryArguments

  func perform() throws(Failure) -> ExitStatus {
    let request = try LibraryRequest(library)
    let printer = try ResultPrinter(format: library.format, isNulTerminated: library.print0)
    switch request.status {
    case .authorized, .limited: break
    case .denied, .restricted:
      throw Failure(status: .noPermission, message: "photos: access \(request.status.word)")
    case .notDetermined:
      throw Failure(
        status: .noPermission,
        message: "photos: access not determined, and without a screen nobody can be asked")
    }
    let opened = try Library(request, asks: ConsentRequest(client: "tpick"), consent: NobodyToAsk())
    opened.store.waitUntilComplete()
    var printed: [Asset] = []
    let options = FetchOptions(filter: request.filter, sort: request.sort)
    for asset in opened.manager.fetchAssets(in: nil, options: options) {
      let name = asset.primaryResource.map { String(decoding: $0.path.bytes, as: UTF8.self) } ?? ""
      if let defect = asset.defect {
        Messages.warn("\(name): \(defect)")
      } else if !printer.canPrint(asset) {
        Messages.warn("\(name): has a line break in its name: use --print0")
      } else {
        printed.append(asset)
      }
    }
    opened.reportIssues()
    try printer.print(printed)
    return printed.isEmpty ? .nothing : .success
  }
}
