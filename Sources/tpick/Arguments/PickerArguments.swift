import ArgumentParser
import AssetLibrary
import CursesHost
import PickerUI
import PhotoPicker
import SystemPackage
import TerminalGraphics

/// The options that only `pick` has.
struct PickerArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The order of the results, and when they are printed: default (grid order), ordered (picking order), continuous or continuousAndOrdered (after every change), follow (the photo under the cursor whenever it moves, finally the result). Default: ordered, or default if the limit is 1.",
      valueName: "how"))
  var selection: PickerConfiguration.Selection?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Initially picked: a file or folder, as a path, file:// URI or identifier. Missing files are skipped. Repeatable.",
      valueName: "path"),
    completion: .file())
  var preselect: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Disable parts of the picker: search, collections, actions, staging, preview; comma-separated.",
      valueName: "parts"),
    completion: .list(PickerConfiguration.Capabilities.parts.map(\.name)),
    transform: PickerConfiguration.Capabilities.init(argument:))
  var disable: [PickerConfiguration.Capabilities] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The layout; compact is one row of thumbnails. Default: default.",
      valueName: "how"))
  var mode: PickerConfiguration.Mode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Use only this many rows below the cursor, or a part of the window such as 40%, instead of the whole screen. Output above is kept, and the picker is erased at the end.",
      valueName: "rows"),
    transform: NumberArguments.height)
  var height: WindowPart?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Use only this many columns at the left, or a part of the window such as 50%, instead of the whole width.",
      valueName: "columns"),
    transform: NumberArguments.width)
  var width: WindowPart?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The theme, instead of the configured one. Default: dark or light, depending on the terminal's background.",
      valueName: "name"))
  var theme: Theme.Name?

  @Flag(
    help:
      "Ring the bell when the limit is reached, when a command fails, and when long work ends.")
  var bell = false

  @Flag(help: "Don't change the library: no marks, no albums.")
  var readOnly = false

  @Flag(
    name: [.customShort("1"), .customLong("select-1")],
    help: "If there is exactly one match, pick it without a screen.")
  var selectOne = false

  @Flag(name: .customLong("exit-0"), help: "If there is no match, exit at once.")
  var exitZero = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Initially picked: the paths in this file, one per line or NUL-separated; - for standard input.",
      valueName: "file"),
    completion: .file())
  var preselectFrom: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keys that use the selection as Enter does, comma-separated, such as ctrl-o,alt-x,f2. The pressed key is printed before the results; an empty line for Enter.",
      valueName: "keys"),
    transform: KeyArgument.keys)
  var expect: [Key]?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Bind a key to an action: a command such as toggle, ignore, or execute(COMMAND), execute-silent(COMMAND), become(COMMAND), where {} is the photo under the cursor, {+} the picks, {ids} their identifiers. Repeatable.",
      valueName: "key=action"))
  var bind: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Run a command on the results instead of printing them: all following words, up to a ';' if there is one. {} becomes their paths, {ids} their identifiers; without either, the paths are appended. No shell is involved. tpick exits with the status of the command.",
      valueName: "command ... [;]"))
  var exec: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Inside tmux, run in a popup: [center|top|bottom|left|right][,width[%]][,height[%]]. Default: center,80%. For a folder of such a name write ./center.",
      valueName: "where"),
    transform: TmuxArgument.placement)
  var tmux: PopupPlacement?

  @Flag(help: "Allow confirming an empty selection after picks were cleared, with status 0.")
  var allowEmpty = false
}

extension PickerArguments {
  /// Applies the options to a configuration.
  /// - Throws: `Failure` for options that standard output does not allow.
  func apply(to configuration: inout PickerConfiguration) throws(Failure) {
    configuration.selection = configuration.selectionLimit == 1 ? .default : .ordered
    if let selection {
      configuration.selection = selection
      if selection.isReportedContinuously, StandardStream.output.isTerminal {
        throw .usage(
          "--selection: \(selection.rawValue) prints while the screen is open; redirect standard output to a file or a program"
        )
      }
    }
    if let mode { configuration.mode = mode }
    for parts in disable { configuration.disabledCapabilities.formUnion(parts) }
  }

  /// The initially picked paths.
  /// - Throws: `Failure` if their list can't be read.
  func preselectedPaths(readsSourcesFromInput: Bool) throws(Failure) -> [FilePath] {
    let paths = ArgumentFolding.words(preselect).map { PathArgument.path($0) }
    guard let preselectFrom else { return paths }
    if preselectFrom == "-", readsSourcesFromInput {
      throw .usage("--preselect-from: standard input is already the list of sources")
    }
    do {
      if preselectFrom == "-" {
        return paths + PathArgument.paths(inList: try FileText.bytes(of: .standardInput))
      }
      let path = FilePath(bytes: ArgumentBytes.bytes(preselectFrom))
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      return paths + PathArgument.paths(inList: try file.closeAfter { try FileText.bytes(of: file) })
    } catch {
      throw .error("--preselect-from: \(Wording.name(preselectFrom)): \(error)")
    }
  }
}
