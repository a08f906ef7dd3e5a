import ArgumentParser
import AssetLibrary
import Export
import FolderLibrary
import Results
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
private enum NameTemplate {
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
