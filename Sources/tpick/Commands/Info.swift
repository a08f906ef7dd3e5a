import ArgumentParser
import AssetLibrary
import FolderLibrary
import Results

/// `tpick info FILE ...`: prints the metadata of single assets.
struct Info: Subcommand {
  static let configuration = CommandConfiguration(
    of: .info,
    usage: "tpick info [options] file ...")

  @Argument(
    help: ArgumentHelp(
      "A photo or video, or - for paths on standard input; a file:// URI or an identifier that --format ids printed does for a path.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: text, json or jsonl, or a template such as '{path}\\t{camera}'. Default: text.",
      valueName: "what"),
    completion: .list(FormatArgument<ListFormat>.names), transform: FormatArgument<ListFormat>.init)
  var format: FormatArgument<ListFormat>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The keys of the JSON formats, comma-separated; all for every one, +camera,lens for some besides the usual ones.",
      valueName: "list"),
    transform: FieldSelection.init(argument:))
  var fields: FieldSelection?

  @Flag(help: "With - as file: paths on standard input are NUL-separated.")
  var read0 = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let format = try InfoFormat(format, fields: fields)
    guard !files.isEmpty else { throw .usage("info: name a file; tpick list prints the files of a folder") }
    var words: [SourceWord] = []
    for word in ArgumentFolding.words(files) {
      if word == "-" {
        words += try SourceWord.wordsFromInput(isNulSeparated: read0)
      } else {
        words.append(SourceWord(ArgumentBytes.bytes(word)))
      }
    }
    if words.isEmpty { return .nothing }
    // Of the configuration it concerns only who may read the files.
    _ = try SettingsFile(settings)
    SourceWord.locate(&words)
    var descriptions: [AssetRecord] = []
    var status = ExitStatus.success
    let library = InfoLibrary(words)
    for word in words {
      do throws(Failure) {
        descriptions.append(try library.record(of: word))
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
}
