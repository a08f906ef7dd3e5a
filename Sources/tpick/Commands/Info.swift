import ArgumentParser
import AssetLibrary
import FolderLibrary
import Results
import SystemPackage

/// `tpick info FILE ...`: prints the metadata of single assets.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick info",
    abstract: "Print the metadata and the files of photos and videos.",
    usage: "tpick info [options] file ...",
    version: ProgramVersion.current)

  @Argument(help: ArgumentHelp("A photo or video.", valueName: "file"))
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: text, json or jsonl, or a template such as '{path}\\t{camera}'. Default: text.",
      valueName: "what"))
  var format: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The keys of the JSON formats, comma-separated; all for every one, +camera,lens for some besides the usual ones.",
      valueName: "list"))
  var fields: String?

  func perform() throws(Failure) -> ExitStatus {
    let format = try InfoFormat(format, fields: fields)
    guard !files.isEmpty else { throw .usage("info: name a file; tpick list prints the files of a folder") }
    var descriptions: [AssetRecord] = []
    var status = ExitStatus.success
    for file in ArgumentFolding.words(files) {
      do throws(Failure) {
        descriptions.append(try describe(PathArgument.path(file)))
      } catch {
        // The other files are still printed.
        Messages.warn(error.message)
        status = error.status
      }
    }
    let output = try format.output(of: descriptions)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return status
  }

  private func describe(_ path: FilePath) throws(Failure) -> AssetRecord {
    let name = String(decoding: path.bytes, as: UTF8.self)
    guard MountProbes.shared.answers(path) else { throw .error("\(name): does not answer") }
    do {
      guard try path.stat().type != .directory else {
        throw Failure.error("\(name): is a folder; tpick list prints the files in it")
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .error("\(name): \(error)")
    }
    let store = LibraryBackend.open([path], isKept: true, includesPartners: true)
    store.waitUntilComplete()
    for note in store.status.notes { Messages.warn(note) }
    do {
      var options = FetchOptions()
      options.includeHiddenAssets = true
      let identifiers = try store.identifiers(at: path)
      guard let asset = store.assets(withLocalIdentifiers: Array(identifiers), options: options).first else {
        throw AssetError(name, store.status.issues.first?.reason ?? "not a picture or video")
      }
      if let defect = asset.defect { throw AssetError(name, defect) }
      return AssetRecord(
        asset, details: try store.details(of: asset), albums: RecordReader(store).albums(of: asset))
    } catch {
      throw .error("\(error)")
    }
  }
}
