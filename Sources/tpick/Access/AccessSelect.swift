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

/// `tpick access select`: chooses the photos that a program may see.
struct AccessSelect: Subcommand {
  static let configuration = CommandConfiguration(
    of: .access, "select",
    abstract: "Choose the photos that a program may see.",
    usage: "tpick access select --client <name> [options] [source ...]",
    discussion: """
      Opens the picker with what is allowed selected. Enter gives the program limited access to the selection and prints the \
      photos that are newly allowed; Esc leaves all as it was. Photos that are in none of the sources stay allowed.
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
      theme: file.settings.theme)
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
    // What is selected may be what was: the program is confined to it from now on all the same.
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
    options.search = PickerState.SearchOptions(
      query: request.query, text: library.query, vocabulary: request.vocabulary)
    options.client.name = client
    options.opening.choosesAccess = true
    options.opening.endsWithAccess = true
    return options
  }
}
