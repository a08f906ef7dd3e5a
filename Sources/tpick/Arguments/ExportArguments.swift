import ArgumentParser
import AssetLibrary
import Export
import Results
import System
import SystemPackage

/// The options for copies of the results.
struct ExportArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Copy the results into this folder, which is made if need be, and print the paths of the copies. What lies in it already is not copied again.",
      valueName: "dir"),
    completion: .directory)
  var export: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --export: what copies are called, as a template such as '{date:%Y-%m-%d}_{stem}'; the extension stays. Slashes in a date, and behind it, make folders: '{date:%Y/%m}/{stem}'. Default: as their files are.",
      valueName: "template"),
    transform: NameTemplate.template)
  var name: ResultTemplate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which files of a photo are printed or copied: primary (the one that stands for it) or all (the clip of a Live Photo, the raw file, the original of an edit and sidecars as well). Default: primary.",
      valueName: "which"))
  var resources: ExportOptions.Resources?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --export: a copy whose name is taken gets a number (number), is left out where that file has the same content and else gets a number (skip), or takes the place of that file (replace). Default: number.",
      valueName: "how"))
  var existing: ExportOptions.Existing?

  @OptionGroup var shape: RepresentationArguments

  /// The folder and the options; nil where results are handed over where they lie.
  /// - Throws: `Failure` for what contradicts itself.
  /// - Parameter chosen: the shape that the user has chosen; nil = as the options say.
  func target(as chosen: RepresentationOptions? = nil) throws(Failure) -> ExportTarget? {
    var options = ExportOptions()
    options.representation = try shape.options()
    if let chosen { options.representation = chosen }
    guard let export else {
      for (option, isGiven) in [("--name", name != nil), ("--existing", existing != nil)] where isGiven {
        throw .usage("\(option): only together with --export")
      }
      if resources == .all, options.representation.stripping != .nothing { throw Self.stripsOthers }
      guard !options.representation.isPlain else { return nil }
      options.copiesFiles = false
      return ExportTarget(path: nil, options: options)
    }
    if let name { options.name = name }
    if let existing { options.existing = existing }
    if let resources {
      options.resources = resources
      if resources == .all, options.representation.stripping != .nothing { throw Self.stripsOthers }
    }
    let path = PathArgument.path(export)
    if path.isEmpty { throw .usage("--export: the name of a folder is expected") }
    return ExportTarget(path: path, options: options)
  }

  private static let stripsOthers = Failure.usage(
    "--strip: not together with --resources all, whose other files go as they are")
}

/// The value of `--name`.
enum NameTemplate {
  static func template(_ word: String) throws(ArgumentProblem) -> ResultTemplate {
    let template: ResultTemplate
    do {
      template = try ResultTemplate(ArgumentBytes.bytes(word))
    } catch {
      throw ArgumentProblem("\(error)")
    }
    guard template.isName else {
      throw ArgumentProblem(
        "'\(word)' has a slash, a line break or a NUL, which names of copies can't have; dates make folders, as in '{date:%Y/%m}/{stem}'"
      )
    }
    if word.isEmpty { throw ArgumentProblem("a template such as '{date:%Y-%m-%d}_{stem}' is expected") }
    return template
  }
}

/// The options for the shape in which results are handed over.
struct RepresentationArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "current (files as they are), compatible (JPEG, PNG or GIF, and MP4), or automatic (converted only where other options ask for it). Without --export what is made lies in the cache folder for a day. Default: automatic.",
      valueName: "which"))
  var representation: PickerConfiguration.AssetRepresentationMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the consumer takes, such as image/jpeg,image/*,.heic,video/mp4: other files are converted, and what can't be is refused.",
      valueName: "types"),
    transform: AcceptedTypes.init(argument:))
  var accept: AcceptedTypes?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of JPEGs from 1 to 100. Default: 85 for those that are made.", valueName: "number"),
    transform: NumberArguments.quality)
  var quality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most pixels of the longer side, such as 2048, or bytes of a picture, such as 2MB; or both with a comma.",
      valueName: "size"),
    transform: MaximumSize.init)
  var maxSize: MaximumSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Hand over files without location, or without all metadata that is not needed to show them.",
      valueName: "what"))
  var strip: RepresentationOptions.Stripping?

  /// What they say together.
  /// - Throws: `Failure` for what contradicts itself.
  func options() throws(Failure) -> RepresentationOptions {
    var options = RepresentationOptions()
    if let representation { options.mode = representation }
    if let accept { options.acceptedTypes = accept }
    options.quality = quality
    options.longestSide = maxSize?.longestSide
    options.byteCount = maxSize?.byteCount
    if let strip { options.stripping = strip }
    if options.mode == .current {
      for (option, isGiven) in [("--quality", quality != nil), ("--max-size", maxSize != nil)] where isGiven {
        throw .usage("\(option): not together with --representation current, which converts nothing")
      }
    }
    return options
  }
}
