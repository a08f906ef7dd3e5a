import ArgumentParser
import AssetLibrary
import Configuration
import SystemPackage

/// Where the configuration comes from.
struct SettingsArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read this configuration. Default: $XDG_CONFIG_HOME/tpick/config.toml, else ~/.config/tpick/config.toml.",
      valueName: "file"))
  var config: String?

  @Flag(help: "Read no configuration.")
  var noConfig = false
}

/// The configuration of a run, and what is wrong with it.
struct SettingsFile {
  private(set) var settings = Settings()
  /// What to tell on standard error, once nothing is drawn any more.
  private(set) var messages: [String] = []
  /// nil = none is read.
  let path: FilePath?
  /// Whether there is such a file.
  private(set) var isThere = false

  /// No configuration is longer; what is would be something else by mistake.
  private static let longest = 1 << 20

  /// Reads the file that was named, or the user's where there is one.
  /// - Throws: `Failure` when the named file can't be read, and when both options are there.
  init(_ arguments: SettingsArguments) throws(Failure) {
    if arguments.config != nil, arguments.noConfig {
      throw .usage("--config: not together with --no-config")
    }
    guard !arguments.noConfig else {
      path = nil
      return
    }
    let named = arguments.config.map { FilePath(bytes: ArgumentBytes.bytes($0)) }
    let path = named ?? UserDirectories.configuration.appending("config.toml")
    self.path = path
    let name = String(decoding: path.bytes, as: UTF8.self)
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      let bytes = try file.closeAfter { try FileText.bytes(of: file, limit: Self.longest) }
      isThere = true
      guard bytes.count <= Self.longest else {
        messages = ["\(name): is too long for a configuration"]
        return
      }
      let reader = SettingsReader(bytes)
      settings = reader.settings
      messages = reader.problems.map { "\(name): \($0)" }
    } catch {
      if named != nil { throw .error("--config: \(name): \(error)") }
      // Most users have none.
      if error as? Errno != .noSuchFileOrDirectory, error as? Errno != .notDirectory {
        messages = ["\(name): \(error)"]
      }
    }
  }

  /// Tells what is wrong on standard error.
  func report() {
    for message in messages { Messages.warn(message) }
  }
}
