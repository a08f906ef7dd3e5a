import ArgumentParser
import AssetLibrary
import CodecProtocol
import Configuration
import Conversion
import Export
import CursesHost
import FolderLibrary
import Imaging
import PhotoPicker
import PickerRuntime
import PickerUI
import Pixels
import RemoteLibrary
import Results
import System
import SystemPackage
import TerminalGraphics

/// `tpick [OPTIONS] [SOURCE ...]`: the picker.
struct Pick: Subcommand {
  static let openFiles: Int? = ProcessLimits.pickerDescriptors

  static let configuration = CommandConfiguration(
    of: .pick,
    usage: "tpick [options] [source ...]",
    discussion: """
      Opens a grid of thumbnails on the terminal and prints the chosen paths on standard output, for \
      scripts: tpick --limit 3 --print0 ~/Pictures | xargs -0 ls -l

      Subcommands (pick is the default; tpick help list describes list; for a folder named like a subcommand write \
      ./list):

      \(SubcommandName.overview)

      Exit status: 0 picked, 1 nothing to pick, 2 error, 64 usage error, 77 no permission, 130 cancelled.
      """)

  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: LimitArguments.limitHelp,
    transform: NumberArguments.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: LimitArguments.limitImagesHelp,
    transform: NumberArguments.count)
  var limitImages: Int?

  @Option(
    parsing: .unconditional,
    help: LimitArguments.limitVideosHelp,
    transform: NumberArguments.count)
  var limitVideos: Int?

  @OptionGroup var required: RequirementArguments

  @OptionGroup var library: LibraryArguments

  @OptionGroup var picker: PickerArguments

  @Option(
    parsing: .unconditional,
    help: ScreenArguments.graphicsHelp)
  var graphics: GraphicsMode?

  @Option(
    parsing: .unconditional,
    help: ScreenArguments.cellSizeHelp,
    transform: SizeArguments.cellSize)
  var cellSize: PixelSize?

  @OptionGroup var pictures: PictureArguments

  @OptionGroup var settings: SettingsArguments

  @Option(parsing: .unconditional, help: .hidden)
  var debugStats: String?

  /// The description of the command that gets the photos, from `tpick run`.
  @Option(parsing: .unconditional, help: .hidden)
  var recipient: String?

  /// Whether tpick only asks the user about the client's access, and then ends.
  @Flag(help: .hidden)
  var accessOnly = false

  /// Shows the picker and prints the selection.
  func perform() throws(Failure) -> ExitStatus {
    if let placement = picker.tmux, TerminalEnvironment.ofProcess.isInTmuxPane {
      return try PopupHost(placement: placement).run(ArgumentBytes.ofProcess)
    }
    if let status = try askPortal() { return status }
    let request = try LibraryRequest(library)
    let file = try SettingsFile(settings)
    defer { file.report() }
    var setup = try makeSetup(request, file)
    let consent = ConsentScreen()
    // The helpers start while the folders are read for the first time, which takes about as long. With paths
    // on standard input they start later: if it is closed, a helper's socket could get its descriptor.
    if !picker.selectOne, !picker.exitZero, !setup.request.sources.contains("-") {
      ReaderClient.standard.start()
    }
    let library = try Library(
      setup.request, follows: true, cacheLimit: file.settings.decodedMemory, consent: consent)
    defer {
      library.reportMissing()
      library.endAccess()
    }
    if let album = try earlyAlbum(of: library) {
      setup.options.opening.collection = album
    } else {
      setup.options.opening.album = setup.request.album
    }
    setup.options.opening.folders = library.shownFolders
    setup.options.opening.missingSources = library.missingSources.map(\.description)
    let delivery = PickDelivery(self, setup, library)
    if let status = try leaveEarly(delivery, setup.options) { return status }
    setup.options.configuration.preselectedAssetIdentifiers = try library.identifiers(
      of: setup.preselected, option: "--preselect")
    return try show(setup, delivery, consent)
  }

  // MARK: Resolving

  /// The values of the arguments and the configuration.
  fileprivate struct Setup {
    var request: LibraryRequest
    var options = PickerState.Options()
    let pictures: PictureOptions
    let theme: ThemeChoice
    /// The user's changes of the screen in earlier runs; nil if nothing is remembered.
    let memory: ScreenMemory?
    let linkMemory: LinkMemory?
    /// The programs bound to keys.
    let programs: [CommandTemplate]
    /// The command line of the user's player; nil = the first known one that is installed.
    let player: String?
    /// The command of `--exec`.
    let command: CommandTemplate?
    let printer: ResultPrinter
    let preselected: [FilePath]
  }

  /// Combines the arguments and the configuration, and rejects contradictions.
  private func makeSetup(_ request: LibraryRequest, _ file: SettingsFile) throws(Failure) -> Setup {
    var request = request
    request.addSources(of: file)
    var settings = file.settings
    if let theme = picker.theme { settings.theme = ThemeChoice(theme, changes: settings.theme.changes) }
    // If a program calls tpick, the order is neither read from the user's last run nor remembered.
    let hasCaller =
      library.client.client != nil || library.sort != nil || isatty(STDOUT_FILENO) == 0 || picker.exec != nil
    let memory = self.settings.noConfig ? nil : ScreenMemory(remembersOrder: !hasCaller)
    if let memory { settings.apply(memory.read()) }
    if library.sort == nil { request.sort = request.isReversed ? settings.sort.reversed : settings.sort }
    var options = PickerState.Options()
    settings.apply(to: &options)
    try configure(&options, for: request)
    let binds = try BindArguments(settings.actions, ArgumentFolding.words(picker.bind))
    try binds.apply(to: &options)
    try expectKeys(&options)
    let command = try ExecArguments.command(picker.exec)
    // If a command gets the results, they are not printed as well.
    let printer = try ResultPrinter(
      library, isSilent: command != nil && library.output == nil, remotes: .local)
    try configureDelivery(&options, printer)
    let preselected = try picker.preselectedPaths(readsSourcesFromInput: request.sources.contains("-"))
    configureAccess(&options, for: request)
    options.client.needsOriginals =
      printer.needsOriginals || library.copies.export != nil || command != nil && printer.printsLocalPaths
    var pictures = PictureOptions(file.settings, graphics, cellSize, self.pictures)
    let linkMemory = LinkMemory()
    pictures.bytesPerSecond = linkMemory?.read()
    return Setup(
      request: request, options: options, pictures: pictures, theme: settings.theme, memory: memory,
      linkMemory: linkMemory, programs: binds.programs, player: settings.player, command: command,
      printer: printer,
      preselected: preselected)
  }

  /// The selection and the initial view.
  private func configure(
    _ options: inout PickerState.Options, for request: LibraryRequest
  ) throws(Failure) {
    options.configuration.selectionLimit = limit ?? 1
    options.configuration.kindLimits.images = limitImages ?? 0
    options.configuration.kindLimits.videos = limitVideos ?? 0
    options.configuration.requirements = try required.requirements()
    try picker.apply(to: &options.configuration)
    options.configuration.filter = request.filter
    options.configuration.sort = request.sort
    options.configuration.version = request.version
    if picker.bell { options.ringsBell = true }
    options.opening.sortsUserAlbums = library.sort != nil
    if picker.readOnly { options.isReadOnly = true }
    options.search = PickerOptions.SearchOptions(
      query: request.query, text: library.source.query, vocabulary: request.vocabulary)
    options.allowsEmpty = picker.allowEmpty
    options.opening.isOffline = request.remotes.isOffline
  }

  /// How results are exported.
  private func configureDelivery(
    _ options: inout PickerState.Options, _ printer: ResultPrinter
  ) throws(Failure) {
    let target = try library.copies.target()
    options.configuration.representation = try library.copies.shape.options()
    try checkEarlyOutput(options.configuration, printer)
    options.deliversResults = target?.path != nil
    options.deliversAllResources = library.copies.resources == .all
    // A copy may get another name.
    options.acceptsLineBreaks = printer.acceptsLineBreaks || library.copies.export != nil
  }

  /// The client, and whether the user still has to decide about its access.
  private func configureAccess(_ options: inout PickerState.Options, for request: LibraryRequest) {
    let access = request.access
    options.opening.choosesAccess =
      access.keeper == nil && access.decision.readWrite == .limited && request.allow.isEmpty
    options.opening.endsWithAccess = accessOnly
    options.client.name = access.consentRequest.client
    options.client.purpose = library.client.purpose ?? recipient
    options.client.grantCommand = access.keeper.map { _ in ClientName.grantCommand(for: options.client.name) }
  }

  /// Rejects options that contradict results printed while the screen is open.
  private func checkEarlyOutput(
    _ configuration: PickerConfiguration, _ printer: ResultPrinter
  ) throws(Failure) {
    let name = configuration.selection.rawValue
    guard configuration.selection.isReportedContinuously else { return }
    if library.copies.export != nil { throw .usage("--export: can't be used with --selection \(name)") }
    if !configuration.representation.isPlain {
      throw .usage("--selection \(name): can't be used with options for other formats, sizes or metadata")
    }
    if library.output != nil { throw .usage("--output: can't be used with --selection \(name)") }
    if picker.exec != nil { throw .usage("--exec: can't be used with --selection \(name)") }
    guard configuration.selection == .follow else { return }
    if configuration.selectionLimit != 1 {
      throw .usage(
        "--limit: must be 1 with --selection follow, where the last printed item is the result")
    }
    if picker.allowEmpty {
      throw .usage(
        "--allow-empty: can't be used with --selection follow, where the last printed item is the result"
      )
    }
    if printer.printsDocument {
      throw .usage(
        "--format: json is one document of all results; with --selection follow use jsonl, one line per photo"
      )
    }
  }

  /// Reserves the keys that the caller expects.
  private func expectKeys(_ options: inout PickerState.Options) throws(Failure) {
    guard let keys = picker.expect else { return }
    if options.configuration.selection.isReportedContinuously {
      throw .usage("--expect: can't be used with --selection \(options.configuration.selection.rawValue)")
    }
    options.callerKeys.expected = keys
    options.bindings = options.bindings.without(options.callerKeys.expected)
  }

  /// The album to open, if it can be found before the screen is shown: not if the user still has to decide
  /// about access.
  private func earlyAlbum(of library: Library) throws(Failure) -> AssetCollection? {
    try Self.isAccessSettled(library) ? library.album(named: library.request.album) : nil
  }

  /// Whether access is decided, so that neither a prompt nor a message is needed.
  private static func isAccessSettled(_ library: Library) -> Bool {
    switch library.request.access.decision.readWrite {
    case .authorized: true
    case .limited: library.request.access.keeper != nil || !library.request.allow.isEmpty
    default: false
    }
  }

  /// Handles `--select-1` and `--exit-0`.
  /// - Returns: nil if the screen must be shown.
  private func leaveEarly(
    _ delivery: PickDelivery, _ options: PickerState.Options
  ) throws(Failure) -> ExitStatus? {
    let (library, printer) = (delivery.library, delivery.printer)
    guard picker.selectOne || picker.exitZero, Self.isAccessSettled(library) else { return nil }
    try library.waitUntilComplete()
    try library.requireReadable()
    // Unreadable files could be matches.
    if library.failsStrictly(library.store.status.issues.isEmpty) {
      library.reportIssues()
      return .failure
    }
    let found = library.manager.fetchAssets(
      in: options.opening.collection?.id, options: library.request.fetchOptions)
    let requirements = options.configuration.requirements
    let shape = options.configuration.representation
    let candidates = Array(
      found.lazy.filter {
        !$0.isBroken && printer.canPrint($0) && requirements.shortfall(of: $0) == nil
          && RepresentationPlan($0, shape).unavailability == nil
      }.prefix(2))
    if candidates.isEmpty, picker.exitZero { return .nothing }
    if candidates.count == 1, picker.selectOne {
      return try delivery.finish(.picked(candidates, as: shape))
    }
    return nil
  }

  // MARK: Showing

  /// Shows the screen until it ends, and delivers the selection.
  private func show(
    _ setup: Setup, _ delivery: PickDelivery, _ consent: ConsentScreen
  ) throws(Failure) -> ExitStatus {
    let selection = setup.options.configuration.selection
    let report = delivery.report(of: selection)
    let handover = delivery.handover()
    let host = PickerHost(
      library: PickerLibrary(delivery.library.access, encodeFrame: FramePhoto.jpeg), consent: consent,
      pictures: setup.pictures,
      theme: setup.theme, height: picker.height, width: picker.width,
      programs: ProgramRunner(delivery.programs.run),
      player: MediaPlayer(setup.player, delivery.library.store),
      delivery: selection.isReportedContinuously ? nil : handover.delivery,
      report: report.send,
      remember: setup.memory?.update,
      rememberLink: setup.linkMemory?.write)
    defer {
      DebugStats(debugStats)?.write(images: delivery.library.photos.images.counters)
      LinkMemory.removeStale()
    }
    let outcome: PickerOutcome
    do throws(TerminalError) {
      outcome = try host.run(setup.options)
    } catch {
      report.finish()
      throw Failure(error, inScripts: "tpick list")
    }
    // The photo under the cursor is of no use once the picker is cancelled.
    report.finish(discardsUnsent: selection == .follow && outcome == .cancelled)
    return try delivery.finish(
      outcome,
      after: PickDelivery.Screen(selection: selection, printed: report.lastPrinted, exported: handover.result)
    )
  }
}

// MARK: - Delivering

/// Delivers the selection: downloads, copies and prints it, and runs the caller's command on it.
private struct PickDelivery {
  /// What was done with results while the screen was open.
  struct Screen {
    var selection = PickerConfiguration.Selection.default
    /// The assets that were printed last.
    var printed: [Asset] = []
    /// The result of the export; nil if there was none.
    var exported: Result<ExportReport, AssetError>?
  }

  let library: Library
  let printer: ResultPrinter
  let programs: CallerPrograms
  private let reader: RecordReader
  private let copies: ExportArguments
  /// The command of `--exec`, which gets the results.
  private let command: CommandTemplate?
  /// Whether the caller expects keys, and the key that ended the picker is printed.
  private let printsKey: Bool
  private let allowsEmpty: Bool
  /// The maximum size of a part of a video; nil = no maximum.
  private let maximumPartByteCount: Int64?
  /// The standard input of a command that replaces the picker: that of tpick, or the terminal if tpick has
  /// read it.
  private let input: ChildCommand.Streams

  init(_ arguments: Pick, _ setup: Pick.Setup, _ library: Library) {
    self.library = library
    (printer, command) = (setup.printer, setup.command)
    programs = CallerPrograms(
      templates: setup.programs, manager: library.manager, version: setup.request.version,
      path: { [printer = setup.printer] in printer.path(of: $0) })
    reader = RecordReader(library.manager)
    copies = arguments.library.copies
    printsKey = arguments.picker.expect != nil
    allowsEmpty = arguments.picker.allowEmpty
    maximumPartByteCount = setup.options.configuration.requirements.maximumByteCount
    let isInputRead =
      arguments.library.source.sources.contains("-") || arguments.picker.preselectFrom == "-"
    input = isInputRead ? .terminalInput : .inherited
  }

  // MARK: While the screen is open

  /// Prints changes of the selection if the caller wants continuous reports.
  func report(of selection: PickerConfiguration.Selection) -> SelectionReport {
    let follows = selection == .follow
    return SelectionReport(awaitsReader: follows) {
      [printer, reader, version = library.request.version] assets in
      let assets = assets.map { $0.presenting(version) }
      // Write errors are ignored here; printing the final result reports them.
      do throws(Failure) {
        try follows ? printer.print(assets, from: reader) : printer.report(assets, from: reader)
        return true
      } catch {
        return false
      }
    }
  }

  /// Exports results.
  func handover() -> ResultHandover {
    ResultHandover {
      [copies, library, printer, reader, maximumPartByteCount] assets, shape, cancellation, progress in
      do {
        let makesFiles = assets.contains(where: \.isDeliveredAsNewFile)
        guard var target = try copies.target(as: shape, makesFiles: makesFiles) else {
          return .success(ExportReport())
        }
        target.options.maximumPartByteCount = maximumPartByteCount
        let current = library.photos.current(assets).map { $0.presenting(library.request.version) }
        return .success(
          try target.run(
            current, from: library.store, reader, acceptsLineBreaks: printer.acceptsLineBreaks, cancellation,
            progress: progress))
      } catch let error as AssetError {
        return .failure(error)
      } catch {
        return .failure(AssetError("export", "\(error)"))
      }
    }
  }

  // MARK: At the end

  /// Handles the outcome of the picker, and returns the exit status.
  func finish(_ outcome: PickerOutcome, after screen: Screen = Screen()) throws(Failure) -> ExitStatus {
    library.reportMissing()
    switch outcome {
    case .unavailable: throw library.failure
    case .cancelled:
      try library.requireReadable(allowingKnown: true)
      return .cancelled
    case .accessChosen: return .success
    case .become(let run):
      library.reportIssues()
      return try programs.status(of: run, input)
    case .refused(let status):
      throw library.request.access.refusal(status)
    case .albumNotFound:
      let album = library.request.album ?? ""
      throw AlbumSearch.refusalOfDeletedPhotos(album)
        ?? .error("--album: no album, or more than one, is named '\(album)'")
    case .picked(let picked, let key, let shape):
      library.reportIssues()
      try downloadOriginals(of: picked)
      guard let results = try results(of: picked, as: shape, screen.exported) else { return .cancelled }
      try printResults(results.assets, key, after: screen)
      results.interruption?.endIfSignaled()
      if !results.isComplete { return .failure }
      if picked.isEmpty, allowsEmpty { return .success }
      if results.assets.isEmpty { return .nothing }
      return try command.map { command throws(Failure) in try run(command, on: results.assets) } ?? .success
    }
  }

  /// Downloads originals that exist only on servers, if the caller gets their paths; an export downloads what
  /// it copies.
  private func downloadOriginals(of picked: [Asset]) throws(Failure) {
    guard copies.export == nil, printer.needsOriginals || command != nil && printer.printsLocalPaths else {
      return
    }
    try library.downloadOriginals(of: picked, withAllFiles: copies.resources == .all)
  }

  /// The results: the picked assets, or their copies.
  private struct PickResults {
    var assets: [Asset]
    var isComplete = true
    /// The signal that interrupted an export; it takes effect after complete copies have been printed.
    var interruption: CancellingSignals?
  }

  /// - Parameter handed: the result of an export on the screen.
  /// - Returns: nil if the user cancelled before any copy was complete.
  private func results(
    of picked: [Asset], as shape: RepresentationOptions, _ handed: Result<ExportReport, AssetError>?
  ) throws(Failure) -> PickResults? {
    let assets = presented(picked)
    let makesFiles = assets.contains(where: \.isDeliveredAsNewFile)
    guard var target = try copies.target(as: shape, makesFiles: makesFiles) else {
      return PickResults(assets: assets)
    }
    target.verbosity = library.request.verbosity
    target.options.maximumPartByteCount = maximumPartByteCount
    switch handed {
    case .success(let report):
      let (copies, isComplete) = target.reportResult(report, of: picked.count)
      return report.isCancelled && copies.isEmpty ? nil : PickResults(assets: copies, isComplete: isComplete)
    case .failure(let error): throw .error("--export: \(error)")
    case nil:
      let (copies, isComplete, interruption) = try target.export(
        assets, from: library.store, reader, acceptsLineBreaks: printer.acceptsLineBreaks)
      return PickResults(assets: copies, isComplete: isComplete, interruption: interruption)
    }
  }

  /// The current assets in the requested version; warns about files that no longer exist.
  private func presented(_ picked: [Asset]) -> [Asset] {
    library.photos.current(picked).map { $0.presenting(library.request.version) }.filter { asset in
      guard let path = asset.primaryResource?.path, asset.isLocallyAvailable,
        MountProbes.shared.answers(path),
        (try? path.stat()) == nil
      else { return true }
      Messages.warn("\(String(decoding: path.bytes, as: UTF8.self)): no longer exists")
      return false
    }
  }

  /// Prints results, unless the screen has already printed them.
  private func printResults(_ assets: [Asset], _ key: Key?, after screen: Screen) throws(Failure) {
    if screen.selection.isContinuous {
      try printer.report(assets, from: reader)
    } else if screen.selection == .follow {
      let isPrinted =
        assets.map(\.id) == screen.printed.map(\.id)
        && assets.map(printer.path) == screen.printed.map(printer.path)
      if !isPrinted { try printer.print(assets, from: reader) }
    } else {
      try printer.print(assets, from: reader, key: printsKey ? key?.name ?? "" : nil)
    }
  }

  /// Runs the command of `--exec`; its status becomes that of the program.
  private func run(_ command: CommandTemplate, on assets: [Asset]) throws(Failure) -> ExitStatus {
    let paths = assets.flatMap(printer.paths)
    let values = CommandTemplate.Values(
      current: paths, picks: paths, identifiers: assets.map { Array($0.localIdentifier.rawValue.utf8) })
    let child = ChildCommand(arguments: command.arguments(values, appends: true), streams: input)
    do {
      return ExitStatus(rawValue: try child.run())
    } catch {
      throw Failure(
        status: ExitStatus(rawValue: error.status), message: "--exec: \(command.name): \(error.reason)")
    }
  }
}
