import ArgumentParser
import AssetLibrary
import CodecProtocol
import Configuration
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

      Subcommands, of which pick is the default; tpick help list tells of one of them, and a folder of such a name \
      is written ./list:

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

  /// What `tpick run` says of the command that gets the photos.
  @Option(parsing: .unconditional, help: .hidden)
  var recipient: String?

  /// Ends once it is decided what the client may see.
  @Flag(help: .hidden)
  var accessOnly = false

  /// Shows the picker and prints what was picked.
  func perform() throws(Failure) -> ExitStatus {
    if let placement = picker.tmux, TerminalEnvironment.ofProcess.isInTmuxPane {
      return try PopupHost(placement: placement).run(ArgumentBytes.ofProcess)
    }
    if let status = try askPortal() { return status }
    var request = try LibraryRequest(library)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    var options = PickerState.Options()
    var settings = file.settings
    if let theme = picker.theme { settings.theme = ThemeChoice(theme, changes: settings.theme.changes) }
    // A caller's order is its own: it neither begins with the user's nor leaves one behind.
    let hasCaller =
      library.client.client != nil || library.sort != nil || isatty(STDOUT_FILENO) == 0 || picker.exec != nil
    let memory = self.settings.noConfig ? nil : ScreenMemory(remembersOrder: !hasCaller)
    if let memory { settings.apply(memory.read()) }
    settings.apply(to: &options)
    let theme = settings.theme
    if library.sort == nil { request.sort = request.isReversed ? settings.sort.reversed : settings.sort }
    options.configuration.selectionLimit = limit ?? 1
    options.configuration.kindLimits.images = limitImages ?? 0
    options.configuration.kindLimits.videos = limitVideos ?? 0
    options.configuration.requirements = try required.requirements()
    try picker.apply(to: &options.configuration)
    if picker.bell { options.ringsBell = true }
    options.configuration.filter = request.filter
    options.configuration.sort = request.sort
    options.configuration.version = request.version
    options.search = PickerState.SearchOptions(
      query: request.query, text: self.library.source.query, vocabulary: request.vocabulary)
    options.allowsEmpty = picker.allowEmpty
    let binds = try BindArguments(settings.actions, ArgumentFolding.words(picker.bind))
    try binds.apply(to: &options)
    try expectKeys(&options)
    let command = try ExecArguments.command(picker.exec)
    // What a command gets need not be printed as well.
    let printer = try ResultPrinter(
      library, isSilent: command != nil && library.output == nil, remotes: .local)
    let target = try library.copies.target()
    options.configuration.representation = try library.copies.shape.options()
    try checkEarlyOutput(options.configuration, printer)
    options.deliversResults = target?.path != nil
    options.handsOverAllResources = library.copies.resources == .all
    let preselected = try picker.preselectedPaths(readsSourcesFromInput: request.sources.contains("-"))
    // The name of a copy may be another one.
    options.acceptsLineBreaks = printer.acceptsLineBreaks || library.copies.export != nil
    let access = request.access
    options.opening.choosesAccess =
      access.keeper == nil && access.decision.readWrite == .limited && request.allow.isEmpty
    options.opening.endsWithAccess = accessOnly
    options.client.needsOriginals =
      printer.needsOriginals || library.copies.export != nil || command != nil && printer.tellsLocalPaths
    options.opening.isOffline = request.remotes.isOffline
    options.client.name = access.consentRequest.client
    options.client.purpose = library.client.purpose ?? recipient
    options.client.grantCommand = access.keeper.map { _ in ClientName.grantCommand(for: options.client.name) }
    var pictures = PictureOptions(file.settings, graphics, cellSize, self.pictures)
    let linkMemory = LinkMemory()
    pictures.bytesPerSecond = linkMemory?.read()
    let consent = ConsentScreen()
    // Its start takes as long as the first look into a folder.
    // Not before standard input is known to be open: its number must not become another's.
    if !picker.selectOne, !picker.exitZero, !request.sources.contains("-") { ReaderClient.standard.start() }
    let library = try Library(
      request, follows: true, cacheLimit: file.settings.decodedMemory, consent: consent)
    defer {
      library.reportMissing()
      library.endAccess()
    }
    if let album = try earlyAlbum(of: library) {
      options.opening.collection = album
    } else {
      options.opening.album = request.album
    }
    options.opening.folders = library.shownFolders
    let programs = CallerPrograms(
      templates: binds.programs, manager: library.manager, version: request.version,
      path: { printer.path(of: $0) })
    if let status = try leaveEarly(library, printer, programs, options) { return status }
    options.configuration.preselectedAssetIdentifiers = try library.identifiers(
      of: preselected, option: "--preselect")
    let reader = RecordReader(library.manager)
    let follows = options.configuration.selection == .follow
    let report = SelectionReport(awaitsReader: follows) { [version = library.request.version] assets in
      let assets = assets.map { $0.presenting(version) }
      // Write errors are ignored here; printing the final result reports them.
      do throws(Failure) {
        try follows ? printer.print(assets, from: reader) : printer.report(assets, from: reader)
        return true
      } catch {
        return false
      }
    }
    let handover = handover(of: library, reader, printer)
    let host = PickerHost(
      library: PickerLibrary(library.access), consent: consent, pictures: pictures,
      theme: theme, height: picker.height, programs: ProgramRunner(programs.run),
      delivery: follows || options.configuration.selection.isContinuous ? nil : handover.delivery,
      report: report.send,
      remember: memory?.update,
      rememberLink: linkMemory?.write)
    return try show(options, host, library, report, printer, programs, handover)
  }

  /// Shows the screen until it ends, and prints what was picked.
  private func show(
    _ options: PickerState.Options, _ host: PickerHost, _ library: Library, _ report: SelectionReport,
    _ printer: ResultPrinter, _ programs: CallerPrograms, _ handover: ResultHandover
  ) throws(Failure) -> ExitStatus {
    defer {
      DebugStats(debugStats)?.write(images: library.photos.images.counters)
      LinkMemory.removeStale()
    }
    let outcome: PickerOutcome
    do throws(TerminalError) {
      outcome = try host.run(options)
    } catch {
      report.finish()
      throw Failure(error, inScripts: "tpick list")
    }
    // Where the cursor was is of no use to anybody once the picker is cancelled.
    report.finish(discardsUnsent: options.configuration.selection == .follow && outcome == .cancelled)
    return try finish(
      outcome, library, printer, programs, selection: options.configuration.selection,
      told: report.lastPrinted, handover.result)
  }

  /// Refuses what contradicts results that are printed while the screen is open.
  private func checkEarlyOutput(
    _ configuration: PickerConfiguration, _ printer: ResultPrinter
  ) throws(Failure) {
    let name = configuration.selection.rawValue
    guard configuration.selection.isToldEarly else { return }
    if library.copies.export != nil { throw .usage("--export: not together with --selection \(name)") }
    if !configuration.representation.isPlain {
      throw .usage("--selection \(name): not together with options for other formats, sizes or metadata")
    }
    if library.output != nil { throw .usage("--output: not together with --selection \(name)") }
    if picker.exec != nil { throw .usage("--exec: not together with --selection \(name)") }
    guard configuration.selection == .follow else { return }
    if configuration.selectionLimit != 1 {
      throw .usage(
        "--limit: with --selection follow the last item printed is the result, so that it can only be 1")
    }
    if picker.allowEmpty {
      throw .usage(
        "--allow-empty: with --selection follow the last item printed is the result; none would be taken for one"
      )
    }
    if printer.printsDocument {
      throw .usage(
        "--format: json is one document of all results; with --selection follow use jsonl, a line for each photo"
      )
    }
  }

  /// Takes the keys that the caller expects from what they do otherwise.
  private func expectKeys(_ options: inout PickerState.Options) throws(Failure) {
    guard let keys = picker.expect else { return }
    if options.configuration.selection.isToldEarly {
      throw .usage("--expect: not together with --selection \(options.configuration.selection.rawValue)")
    }
    options.callerKeys.expected = keys
    options.bindings = options.bindings.without(options.callerKeys.expected)
  }

  /// The album to open, if it can be found without a screen: more than it must not be shown.
  private func earlyAlbum(of library: Library) throws(Failure) -> AssetCollection? {
    try Self.isAccessSettled(library) ? library.album(named: library.request.album) : nil
  }

  /// Whether no screen is needed for a prompt or a message about access.
  private static func isAccessSettled(_ library: Library) -> Bool {
    switch library.request.access.decision.readWrite {
    case .authorized: true
    case .limited: library.request.access.keeper != nil || !library.request.allow.isEmpty
    default: false
    }
  }

  /// Handles `--select-1` and `--exit-0`.
  /// - Returns: nil if the screen has to be shown.
  private func leaveEarly(
    _ library: Library, _ printer: ResultPrinter, _ programs: CallerPrograms,
    _ options: PickerState.Options
  ) throws(Failure) -> ExitStatus? {
    guard picker.selectOne || picker.exitZero, Self.isAccessSettled(library) else { return nil }
    try library.waitUntilComplete()
    try library.requireReadable()
    // What could not be read may be what would be picked.
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
      return try finish(.picked(candidates, as: shape), library, printer, programs)
    }
    return nil
  }

  private func finish(
    _ outcome: PickerOutcome, _ library: Library, _ printer: ResultPrinter, _ programs: CallerPrograms,
    selection: PickerConfiguration.Selection = .default, told: [Asset] = [],
    _ handed: Result<ExportReport, AssetError>? = nil
  ) throws(Failure) -> ExitStatus {
    library.reportMissing()
    switch outcome {
    case .unavailable: throw library.failure
    case .cancelled:
      try library.requireReadable(allowingKnown: true)
      return .cancelled
    case .accessChosen: return .success
    case .become(let run):
      library.reportIssues()
      return try programs.status(of: run, inputStream)
    case .refused(let status):
      throw library.request.access.refusal(status)
    case .albumNotFound:
      throw .error("--album: no album, or more than one, is called '\(library.request.album ?? "")'")
    case .picked(let picked, let key, let shape):
      library.reportIssues()
      let reader = RecordReader(library.manager)
      // An export brings what it copies.
      if self.library.copies.export == nil,
        printer.needsOriginals || picker.exec != nil && printer.tellsLocalPaths
      {
        try library.bringOriginals(of: picked, withAllFiles: self.library.copies.resources == .all)
      }
      var (assets, isComplete) = (presented(picked, library), true)
      // The signal that has ended an export, which is obeyed once what is whole is told.
      var interruption: CancellingSignals?
      if var target = try self.library.copies.target(as: shape) {
        target.verbosity = library.request.verbosity
        switch handed {
        case .success(let report):
          (assets, isComplete) = target.tell(report, of: picked.count)
          if report.isCancelled, assets.isEmpty { return .cancelled }
        case .failure(let error): throw .error("--export: \(error)")
        case nil:
          (assets, isComplete, interruption) = try target.export(
            assets, from: library.store, reader, acceptsLineBreaks: printer.acceptsLineBreaks)
        }
      }
      if selection.isContinuous {
        try printer.report(assets, from: reader)
      } else if selection == .follow {
        let isTold = assets.map(\.id) == told.map(\.id) && assets.map(printer.path) == told.map(printer.path)
        if !isTold { try printer.print(assets, from: reader) }
      } else {
        try printer.print(assets, from: reader, key: picker.expect.map { _ in key?.name ?? "" })
      }
      interruption?.dieIfCame()
      if !isComplete { return .failure }
      if picked.isEmpty, picker.allowEmpty { return .success }
      if assets.isEmpty { return .nothing }
      guard let command = try ExecArguments.command(picker.exec) else { return .success }
      return try run(command, on: assets, printer)
    }
  }

  /// The assets as they are now, in the version that is wanted; what is gone is told.
  private func presented(_ picked: [Asset], _ library: Library) -> [Asset] {
    library.photos.current(picked).map { $0.presenting(library.request.version) }.filter { asset in
      guard let path = asset.primaryResource?.path, asset.isLocallyAvailable,
        MountProbes.shared.answers(path),
        (try? path.stat()) == nil
      else { return true }
      Messages.warn("\(String(decoding: path.bytes, as: UTF8.self)): is gone")
      return false
    }
  }

  /// What hands results over while the picker is open.
  private func handover(
    of library: Library, _ reader: RecordReader, _ printer: ResultPrinter
  ) -> ResultHandover {
    let copies = self.library.copies
    let acceptsLineBreaks = printer.acceptsLineBreaks
    return ResultHandover { assets, shape, cancellation, progress in
      do {
        guard let target = try copies.target(as: shape) else { return .success(ExportReport()) }
        let current = library.photos.current(assets).map { $0.presenting(library.request.version) }
        return .success(
          try target.run(
            current, from: library.store, reader, acceptsLineBreaks: acceptsLineBreaks, cancellation,
            progress: progress))
      } catch let error as AssetError {
        return .failure(error)
      } catch {
        return .failure(AssetError("export", "\(error)"))
      }
    }
  }

  /// Runs the command of `--exec`, whose status becomes that of the program.
  private func run(
    _ command: CommandTemplate, on assets: [Asset], _ printer: ResultPrinter
  ) throws(Failure) -> ExitStatus {
    let paths = assets.flatMap(printer.paths)
    let values = CommandTemplate.Values(
      current: paths, picks: paths, identifiers: assets.map { Array($0.localIdentifier.rawValue.utf8) })
    let child = ChildCommand(
      arguments: command.arguments(values, appends: true), streams: inputStream)
    do {
      return ExitStatus(rawValue: try child.run())
    } catch {
      throw Failure(
        status: ExitStatus(rawValue: error.status), message: "--exec: \(command.name): \(error.reason)")
    }
  }

  /// What a command that takes the picker's place reads: standard input, unless tpick has read it.
  private var inputStream: ChildCommand.Streams {
    library.source.sources.contains("-") || picker.preselectFrom == "-" ? .terminalInput : .inherited
  }
}
