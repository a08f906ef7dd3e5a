import ArgumentParser
import AssetLibrary
import Configuration

/// `tpick config`: the effective configuration.
struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick config",
    abstract: "Print the effective configuration as TOML.",
    usage: "tpick config [options]",
    discussion: """
      What is printed can be kept as the configuration: tpick config > new.toml. (The shell empties the file that \
      it writes to: that should not be the one that is read.) The first line says which file was read. What is wrong \
      with it is told on standard error.
      """,
    version: ProgramVersion.current)

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let file = try SettingsFile(settings)
    file.report()
    let text = "\(Self.comment(file))\n\n\(file.settings.toml)"
    guard StandardStream.output.write(Array(text.utf8)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }

  /// The line that says where it comes from.
  private static func comment(_ file: SettingsFile) -> String {
    guard let path = file.path else { return "# the defaults: no configuration is read" }
    let name = OutputText.escaped(String(decoding: path.bytes, as: UTF8.self))
    return file.isThere ? "# \(name)" : "# the defaults: there is no \(name)"
  }
}
