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
      "Copy the results into this folder, created if missing, and print the paths of the copies. Files already in it are not copied again.",
      valueName: "dir"),
    completion: .directory)
  var export: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --export: names of the copies, as a template such as '{date:%Y-%m-%d}_{stem}'; the extension is kept. Slashes in and after a date make folders: '{date:%Y/%m}/{stem}'. Default: the original names.",
      valueName: "template"),
    transform: NameTemplate.template)
  var name: ResultTemplate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which files of a photo are printed or copied: primary (the photo or video itself) or all (also Live Photo clips, raw files, originals of edits and sidecars). Default: primary.",
      valueName: "which"))
  var resources: ExportOptions.Resources?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --export: when the name of a copy exists: number adds a number, skip leaves out identical files and numbers others, replace overwrites. Default: number.",
      valueName: "how"))
  var existing: ExportOptions.Existing?

  @OptionGroup var shape: RepresentationArguments

  /// The folder and the options; nil if results are used in place.
  /// - Throws: `Failure` for contradictory options.
  /// - Parameters:
  ///   - chosen: the user's choice of format, size and metadata; nil = as the options say.
  ///   - makesFiles: whether a result is a new file in any case, as a part of a video is.
  func target(
    as chosen: RepresentationOptions? = nil, makesFiles: Bool = false
  ) throws(Failure) -> ExportTarget? {
    var options = ExportOptions()
    options.representation = try shape.options()
    if let chosen { options.representation = chosen }
    guard let export else {
      for (option, isGiven) in [("--name", name != nil), ("--existing", existing != nil)] where isGiven {
        throw .usage("\(option): requires --export")
      }
      if resources == .all, !options.representation.keepsMetadata { throw Self.stripsOthers }
      guard makesFiles || !options.representation.isPlain else { return nil }
      options.copiesFiles = false
      return ExportTarget(path: nil, options: options)
    }
    if let name { options.name = name }
    if let existing { options.existing = existing }
    if let resources {
      options.resources = resources
      if resources == .all, !options.representation.keepsMetadata { throw Self.stripsOthers }
    }
    return ExportTarget(path: try RemoteWord.writtenPath(export, of: "--export"), options: options)
  }

  private static let stripsOthers = Failure.usage(
    "--strip: can't be used with --resources all, which copies the other files unchanged")
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
        "'\(word)' has a slash, a line break or a NUL, which file names can't have; dates make folders, as in '{date:%Y/%m}/{stem}'"
      )
    }
    if word.isEmpty { throw ArgumentProblem("expected a template such as '{date:%Y-%m-%d}_{stem}'") }
    return template
  }
}

/// The options for the format, size and metadata of results.
struct RepresentationArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "current (unchanged files), compatible (JPEG, PNG or GIF, and MP4), or automatic (converted only if other options require it). Without --export, converted files stay in the cache folder for a day. Default: automatic.",
      valueName: "which"))
  var representation: PickerConfiguration.AssetRepresentationMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "File types that the consumer accepts, such as image/jpeg,image/*,.heic,video/mp4: other files are converted, or refused if that is impossible.",
      valueName: "types"),
    transform: AcceptedTypes.init(argument:))
  var accept: AcceptedTypes?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "JPEG quality from 1 to 100. Default: 85 for converted files.", valueName: "number"),
    transform: NumberArguments.quality)
  var quality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum pixels of the longer side, such as 2048, or bytes per picture, such as 2MB; or both, separated by a comma.",
      valueName: "size"),
    transform: MaximumSize.init)
  var maxSize: MaximumSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Remove the location, captions (also titles and comments), or all metadata that is not needed to show the files; comma-separated.",
      valueName: "what"),
    completion: .list(StrippedMetadata.kinds.map(\.name)),
    transform: StrippedMetadata.init(argument:))
  var strip: StrippedMetadata?

  /// The combined options.
  /// - Throws: `Failure` for contradictory options.
  func options() throws(Failure) -> RepresentationOptions {
    var options = RepresentationOptions()
    if let representation { options.mode = representation }
    if let accept { options.acceptedTypes = accept }
    options.quality = quality
    options.longestSide = maxSize?.longestSide
    options.byteCount = maxSize?.byteCount
    if let strip {
      options.stripping = strip.contains(.all) ? .all : strip.contains(.location) ? .location : .nothing
      options.removesCaptions = strip.contains(.captions)
    }
    if options.mode == .current {
      for (option, isGiven) in [("--quality", quality != nil), ("--max-size", maxSize != nil)] where isGiven {
        throw .usage("\(option): can't be used with --representation current, which converts nothing")
      }
    }
    return options
  }
}
