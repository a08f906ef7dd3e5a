import ArgumentParser
import AssetLibrary
import CodecProtocol
import Configuration
import PhotoPicker
import SystemPackage

/// The options that select the configuration file.
struct SettingsArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The configuration file. Default: $XDG_CONFIG_HOME/tpick/config.toml, else ~/.config/tpick/config.toml.",
      valueName: "file"),
    completion: .file())
  var config: String?

  @Flag(help: "Ignore the configuration file.")
  var noConfig = false
}

/// The settings from the configuration file, and its problems.
struct SettingsFile {
  private(set) var settings = Settings()
  /// Messages for standard error, printed after the screen is closed.
  private(set) var messages: [String] = []
  /// The path of the file; nil with `--no-config`.
  let path: FilePath?
  /// Whether the file exists.
  private(set) var exists = false
  /// Why it is unknown whether the library may be changed, so that it may not; nil if it is known.
  private var readOnlyProblem: String?

  /// Longer files are rejected, as they can't be configurations.
  private static let maximumLength = 1 << 20

  /// Reads the given file, or the user's default one if it exists.
  /// - Throws: `Failure` if the given file can't be read, or if both options are given.
  init(_ arguments: SettingsArguments) throws(Failure) {
    if arguments.config != nil, arguments.noConfig {
      throw .usage("--config: can't be used with --no-config")
    }
    try self.init(
      arguments.config.map { FilePath(bytes: ArgumentBytes.bytes($0)) }, isIgnored: arguments.noConfig)
  }

  /// - Parameters:
  ///   - named: nil = the user's default file, if it exists.
  ///   - isIgnored: whether no file is read.
  /// - Throws: `Failure` if the named file can't be read.
  init(_ named: FilePath? = nil, isIgnored: Bool = false) throws(Failure) {
    guard !isIgnored else {
      path = nil
      return
    }
    let path = named ?? UserDirectories.configuration.appending("config.toml")
    self.path = path
    let name = String(decoding: path.bytes, as: UTF8.self)
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      let bytes = try file.closeAfter { try FileText.bytes(of: file, limit: Self.maximumLength) }
      exists = true
      guard bytes.count <= Self.maximumLength else {
        reject("\(name): too long for a configuration")
        return
      }
      let reader = SettingsReader(bytes)
      settings = reader.settings
      // Applies to every part of the process that starts a helper.
      ConfinementPolicy.allowsUnconfined = settings.allowsUnconfinedDecoding
      messages = reader.problems.map { "\(name): \($0)" }
      readOnlyProblem = reader.readOnlyProblem.map { "\(name): \($0)" }
    } catch {
      if named != nil { throw .error("--config: \(Wording.name(name)): \(error)") }
      // The default file is optional.
      if error as? Errno != .noSuchFileOrDirectory, error as? Errno != .notDirectory {
        reject("\(name): \(error)")
      }
    }
  }

  /// Notes that the file can't be read: it may forbid changes.
  private mutating func reject(_ problem: String) {
    messages = [problem]
    settings.isReadOnly = true
    readOnlyProblem = problem
  }

  /// The sources of the settings, with the home folder expanded.
  var sources: [FilePath] {
    settings.sources.map { path in
      guard path == "~" || path.hasPrefix("~/") else { return FilePath(path) }
      return UserDirectories.home.pushing(FilePath(String(path.dropFirst(2))))
    }
  }

  /// Prints the messages to standard error.
  func report() {
    for message in messages { Messages.warn(message) }
  }
}

extension SettingsFile {
  /// - Throws: `Failure` if the configuration forbids changes, or if that is unknown because it can't be read.
  func requireChanges() throws(Failure) {
    guard settings.isReadOnly else { return }
    if let readOnlyProblem {
      throw .error(
        "\(readOnlyProblem); the configuration may forbid changes: nothing was changed. Repair it, or use --no-config"
      )
    }
    throw .error("the configuration has read-only = true: nothing was changed")
  }
}
