import ArgumentParser
import AssetLibrary
import Configuration

/// `tpick config`: prints the effective configuration.
struct Config: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .config,
    usage: "tpick config [options]",
    discussion: """
      The output is a valid configuration: tpick config > new.toml. (Don't redirect to the configuration file \
      itself: the shell would empty it before it is read.) The first line names the file that was read. Problems \
      with it are reported on standard error.

      To start with a template: tpick config --default > ~/.config/tpick/config.toml
      """)

  @Flag(help: "Only report problems of the configuration: status 0 if there are none, else 2.")
  var check = false

  @Flag(help: "Print the defaults with a description of each setting, all commented out, as a template.")
  var `default` = false

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    if check, `default` { throw .usage("--check and --default: can't be used together") }
    if `default` { return try Self.print(Settings().commentedTOML) }
    let file = try SettingsFile(settings)
    file.report()
    if check {
      // Sources on servers are checked only when they are used.
      let missing = file.sources.filter { source in
        RemoteWord.address(source.bytes) == nil && (try? source.stat()) == nil
      }
      for path in missing {
        Messages.warn("\(file.path?.string ?? ""): sources: \(path.string): no such file or folder")
      }
      return file.messages.isEmpty && missing.isEmpty ? .success : .failure
    }
    return try Self.print("\(Self.comment(file))\n\n\(file.settings.toml)")
  }

  private static func print(_ text: String) throws(Failure) -> ExitStatus {
    guard StandardStream.output.write(Array(text.utf8)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }

  /// The comment that names the file of the settings.
  private static func comment(_ file: SettingsFile) -> String {
    guard let path = file.path else { return "# defaults: no configuration was read" }
    let name = OutputText.escaped(String(decoding: path.bytes, as: UTF8.self))
    return file.exists ? "# \(name)" : "# defaults: \(name) does not exist"
  }
}
