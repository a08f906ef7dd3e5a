import AssetLibrary
import CodecProtocol
import Synchronization
import SystemPackage
import System

/// Updates a library's state from disk: walks its sources and reads new and changed files.
final class LibraryScan: Sendable {
  let context: ScanContext
  let visits: VisitQueue
  let watch: FolderWatch?
  /// Reads remote files.
  let remoteReader: RemoteReader
  private let helper: CodecClient?
  private let isInteractive: Bool
  private let candidates: CandidateIntake?
  private var model: LibraryModel { context.model }

  /// - Parameters:
  ///   - helper: reads the formats that only heavy libraries know; nil = they are not read.
  ///   - reader: reads all other formats.
  ///   - isInteractive: whether the library is used interactively; sources that don't respond are then
  ///     reported at once.
  ///   - candidates: sources that arrive one by one, in addition to those passed to `run`.
  init(
    model: LibraryModel, storage: LibraryStorage?, watch: FolderWatch?, helper: CodecClient?,
    reader: MetadataClient = .standard,
    stallPause: Duration = FollowingSettings().stallPause, calls: FolderCalls = FolderCalls(),
    probes: MountProbes = .shared, isInteractive: Bool = false, candidates: CandidateIntake? = nil,
    remotes: [any RemoteSource] = []
  ) {
    context = ScanContext(
      model: model, storage: storage, stalls: HelperStalls(pause: stallPause), calls: calls, probes: probes,
      reader: reader)
    visits = VisitQueue(context)
    remoteReader = RemoteReader(context, helper: helper, remotes)
    self.isInteractive = isInteractive
    self.candidates = candidates
    self.watch = watch
    self.helper = helper
  }

  /// Scans everything below the sources; returns when that is done.
  func run(_ sources: LibrarySources) {
    let isFirstPass = context.control.isFirstPass
    context.probes.refresh()
    // Each scan finds the issues of the sources again.
    model.change { state in
      state.issues[nil] = nil
      state.forgetFailedSources { _ in true }
      if isFirstPass { (state.isComplete, state.isStopped) = (false, false) }
    }
    if isFirstPass { model.progress.begin(.reading) }
    let share = 1 / Double(max(1, sources.folders.count + sources.files.count))
    for group in sources.files { visit(group, share: share) }
    // Rescan the candidates that arrived before, if this is a later scan or the first one was stopped.
    let taken = candidates?.taken ?? CandidateIntake.Taken()
    for group in taken.files { visit(group, share: 0, reportsNonMedia: false) }
    var walk = makeWalk()
    for source in slowSourcesLast(sources.folders + taken.folders) {
      walk.walk(source, parent: nil, depth: 0, isHidden: false, share: share)
    }
    if let candidates {
      // The number of candidates to come is unknown.
      if isFirstPass { model.progress.end() }
      candidates.run(context, &walk) {
        visits.wait()
        finish(tellsProgress: false)
        model.announce(now: true)
      }
    }
    visits.wait()
    if !context.control.isCancelled { walk.removeUnvisited() }
    model.announce()
    list(sources.remotes)
    finish()
    // Set both states in one change: `stopReading` does nothing once the library is complete.
    let isStopped = model.change { state in
      state.isComplete = true
      if !context.control.isCancelled { state.publishFailedSources(of: count(of: sources)) }
      state.isStopped = context.control.isCancelled
      return state.isStopped
    }
    model.progress.end()
    if !isStopped, isFirstPass {
      for source in sources.folders + (candidates?.taken.folders ?? []) where context.probes.answers(source) {
        guard let source = source.resolved else { continue }
        context.storage?.setCompleted(source.bytes)
      }
    }
    // The sources that a stopped scan did not reach have yet to be scanned for the first time.
    if !isStopped { context.control.endFirstPass() }
    context.storage?.flush()
    model.announce(now: true)
  }

  /// The number of sources; nil if more may arrive.
  private func count(of sources: LibrarySources) -> Int? {
    candidates == nil ? sources.folders.count + sources.files.count + sources.remotes.count : nil
  }

  /// Lists the remote sources, all at once.
  ///
  /// In interactive use it does not wait for the files to be read.
  private func list(_ remotes: [any RemoteSource]) {
    let names = Set(remotes.map(\.name))
    model.change { state in
      state.forgetFailedSources(where: names.contains)
      for source in remotes where source.isOffline && state.folders.index(of: source.canonicalPath) == nil {
        state.addFailedSource(
          AssetError(source.name, "it has not been read yet; run without --offline to read it"))
      }
    }
    let asked = remotes.filter { !$0.isOffline }
    guard !asked.isEmpty, !context.control.isCancelled else { return }
    let next = Atomic(0)
    remoteReader.whileListing {
      ConcurrentWork.perform(asked.count) { [self] in
        let place = next.add(1, ordering: .relaxed).oldValue
        guard place < asked.count else { return }
        RemoteWalk(context, visits: visits, asked[place], remoteReader, isInteractive: isInteractive).run()
      }
    }
    guard !context.control.isCancelled else { return }
    for source in asked { context.storage?.setCompleted(source.canonicalPath) }
    remoteReader.readAll()
    if !isInteractive { remoteReader.wait() }
  }

  /// Returns the folders with those that respond slowly at the end.
  private func slowSourcesLast(_ folders: [FilePath]) -> [FilePath] {
    let late = folders.filter { !context.probes.answers($0, within: MountProbes.shortPatience) }
    if isInteractive, !late.isEmpty {
      model.change { state in for folder in late { state.note(MountProbes.silence(of: folder).description) } }
      model.announce(now: true)
    }
    return late.isEmpty ? folders : folders.filter { !late.contains($0) } + late
  }

  /// Lists the remote sources again.
  func relist(_ sources: LibrarySources) {
    list(sources.remotes)
    if !context.control.isCancelled { model.change { $0.publishFailedSources(of: count(of: sources)) } }
    context.storage?.flush()
    model.announce(now: true)
  }

  /// Scans folders in which something changed, and new folders below them.
  /// - Parameter time: how long fetches may still return the old state, so that a move is not seen as a
  ///   removal.
  func revisit(_ folders: Set<Int>, holding time: Duration = .zero) {
    model.hold(for: time)
    context.probes.refresh()
    var walk = makeWalk()
    walk.revisit(folders)
    visits.wait()
    if !context.control.isCancelled { walk.removeGone() }
    finish()
    context.storage?.flush()
    model.announce(now: true)
  }

  /// Retries files on which the codec helper stalled.
  func retryStalled() {
    let start = ContinuousClock.now
    finish()
    context.stalls.forgetOver(at: start)
    context.storage?.flush()
    model.announce(now: true)
  }

  func makeWalk() -> FolderWalk { FolderWalk(context, visits: visits, watch: watch) }

  /// Does the work that needs more than the headers of single files.
  private func finish(tellsProgress: Bool = true) {
    if let helper, !context.control.isCancelled {
      HelperMetadataReader(context, helper: helper).run(tellsProgress: tellsProgress)
    }
    guard !context.control.isCancelled else { return }
    let unfinished = model.read { state in
      // The spellings of a folder with individually named files count as one folder.
      let folders = state.folders.present.filter { state.folders[$0].needsPairing }
      return Dictionary(grouping: folders) { state.folders[$0].canonicalKey }.values.sorted { $0[0] < $1[0] }
    }
    for folders in unfinished {
      LivePhotoPairing.pair(in: folders, model)
      for folder in folders { context.save(folder) }
    }
  }

  /// Reads individually named files with their sidecars.
  /// - Parameters:
  ///   - share: the share of the whole scan, from 0 to 1.
  ///   - reportsNonMedia: whether files that are not images or videos become issues.
  func visit(_ files: LibrarySources.NamedFiles, share: Double, reportsNonMedia: Bool = true) {
    do throws(AssetError) {
      var opened: OpenFolder?
      var folders: [Int] = []
      for spelling in files.spellings {
        try context.probes.check(spelling.folder.isEmpty ? FilePath(".") : spelling.folder)
        let folder = try OpenFolder(spelling.folder)
        folders.append(context.register(folder, parent: nil, depth: 0, isHidden: false, isPartial: true))
        // One open folder suffices to read the files, and each costs a descriptor.
        if opened == nil { opened = folder }
      }
      guard let folder = opened else { return }
      let spellings = FolderSpellings(files.spellings, folders: folders)
      let names = try files.names(in: folder)
      let missing = names.indices.filter { names.withCString($0, folder.status(of:)) == nil }.map {
        AssetError(path: spellings.path(of: names[$0]), Errno.noSuchFileOrDirectory)
      }
      model.change { $0.issues[spellings.folders[0]] = missing.isEmpty ? nil : missing }
      FolderVisit(context, spellings: spellings, folder: folder, names: names)
        .readAll(share: share, reportsNonMedia: reportsNonMedia)
    } catch {
      model.progress.advance(by: share)
      model.change { $0.addFailedSource(error) }
    }
  }
}
