import ArgumentParser
import AssetLibrary
import FolderLibrary
import PhotoPicker
import Sandbox
import SystemPackage
import System

/// `tpick run [OPTIONS] [SOURCE ...] -- COMMAND [ARG ...]`: runs a command that sees only the granted photos.
struct Run: Subcommand {
  static let openFiles: Int? = ProcessLimits.pickerDescriptors

  static let configuration = CommandConfiguration(
    of: .run,
    usage: "tpick run [options] [source ...] -- command [argument ...]",
    discussion: """
      Shows the picker, then runs the command in a sandbox (bubblewrap) that has programs, a terminal, a private /tmp \
      and home, and the picked photos in \(SandboxPlace.photos): tpick run -n0 ~/Pictures -- vim -p {}

      An argument {} becomes their paths; the file named by TPICK_GRANTED lists them. With --authorize limited and \
      --allow, those files are granted without a picker. In the sandbox, tpick without a source asks for more photos.
      """)

  @OptionGroup var limits: LimitArguments

  @OptionGroup var required: RequirementArguments

  @OptionGroup var source: SourceArguments

  @OptionGroup var client: ClientArguments

  @OptionGroup var order: OrderArguments

  @OptionGroup var shape: RepresentationArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Whether the command sees where photos were taken; off passes copies without location, as --strip location. Default: on.",
      valueName: "which"))
  var location: LocationChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A folder that the command can write to, as \(SandboxPlace.results).", valueName: "dir"),
    completion: .directory)
  var writable: String?

  @Flag(help: "Allow the command to use the network.")
  var network = false

  @Flag(help: "Allow the command to open windows (X11 and Wayland sockets).")
  var display = false

  @OptionGroup var screen: ScreenArguments

  @OptionGroup var settings: SettingsArguments

  @Option(parsing: .unconditional, help: .hidden)
  var given: String?

  @Option(parsing: .unconditional, help: .hidden)
  var command: String?

  func perform() throws(Failure) -> ExitStatus {
    guard let command else {
      throw .usage("run: expected a command after --, as in tpick run ~/Pictures -- ls {}")
    }
    var request = try LibraryRequest(source, client)
    let file = try SettingsFile(settings)
    request.addSources(of: file)
    _ = try required.requirements()
    let options = try shape.options()
    if request.sources.contains("-") {
      throw .usage("run: standard input belongs to the command; name the sources")
    }
    if location == .off, options.mode == .current, options.stripping == .nothing {
      throw .usage("--location off: can't be used with --representation current, which changes nothing")
    }
    try checkStreams()
    let words = OptionWords(
      given.map { ArgumentFolding.words([$0]) } ?? [], valued: OptionWords.valued(of: Run.self))
    let choice = PhotoChoice(
      words, removesLocation: location == .off, basis: try basis(request), recipient: recipient(command))
    let writable = try writable.map { word throws(Failure) in
      try WritableFolder(word, sources: Self.sources(request))
    }
    let bubblewrap = try Bubblewrap()
    let session = try SandboxSession(choice)
    defer { session.end() }
    if let status = try session.choose() { return status }
    var view = SandboxView(photos: session.stage.photos, session: session.stage.session)
    view.granted = session.photos.bindings
    view.hasNetwork = network
    try writable?.check(session.photos.originals)
    view.writable = writable?.path
    let granted = GrantedCommand(words: ArgumentFolding.words([command]).map(ArgumentBytes.bytes))
    return try session.run(
      bubblewrap, view, granted, display: display, bound: writable.map { [$0.bound] } ?? [])
  }

  /// The command as typed, and what it can do with the photos.
  private func recipient(_ command: String) -> String {
    let words = ArgumentFolding.words([command]).map { OutputText.escaped($0) }.joined(separator: " ")
    let name = words.count > 40 ? "\(words.prefix(24))…\(words.suffix(15))" : words
    let places = location == .off ? " without locations" : ""
    return "\(name) will see your picks\(places)\(network ? ", and can use the network" : "")"
  }

  /// The sources of the photos, from the arguments, the configuration or the default.
  private static func sources(_ request: LibraryRequest) -> [FilePath] {
    if request.isDemo { return [DemoLibrary.path] }
    return request.sources.isEmpty
      ? [UserDirectories.pictures] : request.sources.map { PathArgument.path($0) }
  }

  /// What decides which photos are granted.
  /// - Throws: `Failure` if access is denied or can't be requested.
  private func basis(_ request: LibraryRequest) throws(Failure) -> PhotoChoice.Basis {
    let status = request.access.decision.readWrite
    guard request.access.keeper != nil else {
      if status == .limited, !request.allow.isEmpty { return .settled }
      if [.authorized, .limited].contains(status), JobTerminal() == nil {
        throw .error(
          "run: no terminal to pick on; over SSH use ssh -t, in scripts --authorize limited with --allow")
      }
      return .picking
    }
    switch status {
    case .authorized, .limited: return .settled
    case .denied, .restricted: throw request.access.refusal(status)
    case .notDetermined:
      if JobTerminal() == nil { throw request.access.refusal(status) }
      return .question
    }
  }

  /// The standard streams pass into the sandbox: a folder among them would give access to the outside.
  private func checkStreams() throws(Failure) {
    for stream: Int32 in 0...2 {
      var facts = stat()
      if fstat(stream, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
        throw .error(
          "run: descriptor \(stream) is a folder, which would give the command access to more than the picked photos"
        )
      }
    }
  }
}
