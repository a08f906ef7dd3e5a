import ArgumentParser
import AssetLibrary
import Configuration
import CursesHost
import FolderLibrary
import Permissions
import PhotoPicker
import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics

/// `tpick access status|grant|revoke|reset|select`: which programs may see which photos.
struct Access: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .access,
    discussion: """
      Programs that identify themselves (--client) see what you allowed them. Actions take effect at once, even in \
      pickers that are open.
      """,
    subcommands: [
      AccessStatus.self, AccessGrant.self, AccessRevoke.self, AccessReset.self, AccessSelect.self,
    ])

  /// Lists the actions if none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("access: expected one of \(actions); for a folder of that name write ./access")
  }
}

/// `tpick access status`: prints the stored permissions.
struct AccessStatus: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .access, "status",
    abstract: "Print the access of programs that asked for photos.",
    usage: "tpick access status [options]")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only this program, with the photos that limited access allows. Default: all programs.",
      valueName: "name"))
  var client: String?

  @OptionGroup var output: AccessArguments

  func perform() throws(Failure) -> ExitStatus {
    var permissions = try AccessStore.all()
    if let client {
      try ClientName.check(client)
      permissions = permissions.filter { $0.client == client }
      if permissions.isEmpty { permissions = [.init(client: client)] }
    }
    return try AccessReport(permissions, namesPhotos: client != nil).print(output.format)
  }
}

/// `tpick access grant`: gives a program access.
struct AccessGrant: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .access, "grant",
    abstract: "Give a program access to your photos.",
    usage: "tpick access grant --client <name> [options]",
    discussion: """
      Without --allow, all photos; with it, only these photos and those allowed before. Prints the newly allowed photos.
      """)

  @Option(parsing: .unconditional, help: ArgumentHelp("The program.", valueName: "name"))
  var client: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only this photo, or the photos in this folder. Repeatable.", valueName: "path"),
    completion: .file())
  var allow: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "readWrite (see and save photos) or addOnly (save only). Default: readWrite.", valueName: "what"))
  var level: AccessLevel?

  @OptionGroup var output: AccessArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    try ClientName.check(client)
    // Only the setting for confined decoding applies here.
    _ = try SettingsFile(settings)
    if level == .addOnly, !allow.isEmpty { throw .usage("--allow: can't be used with --level addOnly") }
    let assets = try AllowedFiles.assets(at: ArgumentFolding.words(allow).map { PathArgument.path($0) })
    var added: [AllowedPhoto] = []
    let permission = try AccessStore.update(client) { permission in
      switch level ?? .readWrite {
      case .addOnly: permission.addOnly = .authorized
      case .readWrite where allow.isEmpty:
        permission.readWrite = .authorized
        permission.setAllowed([])
      case .readWrite:
        let before = Set(permission.readWrite == .limited ? permission.allowed.map(\.identifier) : [])
        added = assets.filter { !before.contains($0.identifier) }.map(AllowedPhoto.init)
        let kept = permission.allowed.filter { before.contains($0.identifier) }
        permission.readWrite = .limited
        permission.setAllowed(kept + assets.filter { !before.contains($0.identifier) })
      }
    }
    return try AccessReport([permission], namesPhotos: false, added: allow.isEmpty ? nil : added)
      .print(output.format)
  }
}

/// `tpick access revoke`: revokes a program's access.
struct AccessRevoke: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .access, "revoke",
    abstract: "Revoke a program's access to your photos.",
    usage: "tpick access revoke --client <name> [options]",
    discussion:
      "The program can't ask again: tpick access reset lets it ask, tpick access grant gives access.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The program.", valueName: "name"))
  var client: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only this level: readWrite (see photos) or addOnly (save). Default: both.", valueName: "what"))
  var level: AccessLevel?

  @OptionGroup var output: AccessArguments

  func perform() throws(Failure) -> ExitStatus {
    try ClientName.check(client)
    let permission = try AccessStore.update(client) { permission in
      if level != .addOnly {
        permission.readWrite = .denied
        permission.setAllowed([])
      }
      if level != .readWrite { permission.addOnly = .denied }
    }
    return try AccessReport([permission], namesPhotos: false).print(output.format)
  }
}

/// `tpick access reset`: removes a stored permission, so that the user is asked again.
struct AccessReset: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .access, "reset",
    abstract: "Forget a decision, so that you are asked again.",
    usage: "tpick access reset (--client <name> | --all) [options]")

  @Option(parsing: .unconditional, help: ArgumentHelp("The program.", valueName: "name"))
  var client: String?

  @Flag(help: "All programs.")
  var all = false

  @OptionGroup var output: AccessArguments

  func perform() throws(Failure) -> ExitStatus {
    if let client { try ClientName.check(client) }
    guard all != (client != nil) else { throw .usage("reset: expected either --client or --all") }
    let removed: [String]
    do throws(PermissionError) {
      removed = try ClientAccess.store.remove(client)
    } catch {
      throw .error("permissions: \(error)")
    }
    let status = try AccessReport(removed.map { .init(client: $0) }, namesPhotos: false).print(output.format)
    guard removed.isEmpty else { return status }
    Messages.warn(
      client.map { "\($0): no stored permission; tpick access status lists them" }
        ?? "permissions: none stored")
    return .nothing
  }
}

/// The options of every action of `tpick access`.
struct AccessArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?
}

/// `tpick access select`: chooses the photos that a program may see.
private struct AccessSelect: Subcommand {
  static let configuration = CommandConfiguration(
    of: .access, "select",
    abstract: "Choose the photos that a program may see.",
    usage: "tpick access select --client <name> [options] [source ...]",
    discussion: """
      Opens the picker with the allowed photos picked. Enter gives the program limited access to the selection and prints \
      the newly allowed photos; Esc changes nothing. Allowed photos outside the sources stay allowed.
      """)

  @Option(parsing: .unconditional, help: ArgumentHelp("The program.", valueName: "name"))
  var client: String

  @OptionGroup var library: SourceArguments

  @OptionGroup var output: AccessArguments

  @OptionGroup var screen: ScreenArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    try ClientName.check(client)
    var request = try LibraryRequest(library)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    let before: ClientPermission
    do throws(PermissionError) {
      before = try ClientAccess.store.permission(of: client) ?? ClientPermission(client: client)
    } catch {
      throw .error("permissions: \(error)")
    }
    let keeper = AccessKeeper(ClientAccess.store, client: client, purpose: nil)
    let opened = try Library(request, managing: before, cacheLimit: file.settings.decodedMemory)
    let host = PickerHost(
      library: PickerLibrary(opened.access), consent: ConsentScreen(),
      pictures: PictureOptions(file.settings, screen.graphics, screen.cellSize, screen.pictures),
      theme: file.settings.theme, player: MediaPlayer(file.settings.player, opened.store))
    let outcome: PickerOutcome
    do throws(TerminalError) {
      outcome = try host.run(options(request, file.settings))
    } catch {
      throw Failure(error, inScripts: "tpick access grant")
    }
    opened.reportMissing()
    switch outcome {
    case .accessChosen: break
    case .unavailable: throw opened.failure
    case .cancelled:
      try opened.requireReadable(allowingKnown: true)
      return .cancelled
    default: return .cancelled
    }
    // Recorded even if the selection is unchanged: from now on the program is limited to it.
    keeper.record(opened.access.decision, in: opened.store)
    keeper.cleanUp(in: opened.store)
    if let failure = keeper.lastFailure { throw .error("permissions: \(failure)") }
    let now = try AccessStore.all().first { $0.client == client } ?? ClientPermission(client: client)
    let known = before.readWrite == .limited ? Set(before.allowed.map(\.identifier)) : []
    return try AccessReport(
      [now], namesPhotos: false,
      added: now.allowed.filter { !known.contains($0.identifier) }.map(AllowedPhoto.init)
    ).print(output.format)
  }

  private func options(_ request: LibraryRequest, _ settings: Settings) -> PickerState.Options {
    var options = PickerState.Options()
    settings.apply(to: &options)
    options.configuration.filter = request.filter
    options.configuration.sort = settings.sort
    options.search = PickerOptions.SearchOptions(
      query: request.query, text: library.query, vocabulary: request.vocabulary)
    options.client.name = client
    options.opening.choosesAccess = true
    options.opening.endsWithAccess = true
    return options
  }
}
