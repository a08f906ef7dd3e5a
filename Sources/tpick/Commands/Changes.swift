import ArgumentParser
import AssetLibrary
import Results
import System

/// `tpick changes --since TOKEN`: prints what was inserted, updated, moved and deleted since an earlier call.
struct Changes: Subcommand {
  static let configuration = CommandConfiguration(
    of: .changes,
    usage: "tpick changes --since token|start [options] [source ...]",
    discussion: """
      Prints JSON lines, one for each difference; the last line contains the token for the next call. tpick compares the \
      library with its state at earlier calls, so a photo that was added and deleted in between is not printed. With \
      --since start all photos and albums are printed as inserted. A token is valid for the same sources on the same \
      machine.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The token that an earlier call printed, or start.", valueName: "token"))
  var since: String

  @OptionGroup var library: SourceArguments

  @OptionGroup var client: ClientArguments

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let token = since == "start" ? nil : PersistentChangeToken(since)
    guard token != nil || since == "start" else {
      throw .usage("--since: \(Wording.name(since)) is not a token; use start, or the token of the last line")
    }
    var request = try LibraryRequest(library, client)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    // Photos that start or stop matching would have to be reported, too.
    if request.filter != nil || request.query != nil {
      throw .usage("changes: --filter and --query can't be used; it prints the changes of all photos")
    }
    try request.requireAccess()
    let opened = try Library(request)
    defer { opened.endAccess() }
    try opened.waitUntilComplete()
    try opened.requireReadable()
    guard opened.hasAllSources else {
      throw .error("changes: can't tell what changed while a source is missing")
    }
    let albums = opened.manager.userAlbums
    let answer: PersistentChanges
    do throws(PersistentChangeError) {
      answer = try opened.manager.fetchPersistentChanges(since: token)
    } catch {
      let advice =
        switch error {
        case .tokenExpired: "; start again with --since start"
        case .otherLibrary: "; name the same sources as in the call that printed it"
        default: ""
        }
      throw .error("changes: \(error)\(advice)")
    }
    var output: [UInt8] = []
    for change in answer.changes {
      output += try JSONText.line(ChangeLine(change, title: albums[change.identifier]?.title)) + [0x0A]
    }
    output += try JSONText.line(TokenLine(token: answer.token.description)) + [0x0A]
    let isWhole = opened.reportIssues()
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    if opened.failsStrictly(isWhole) { return .failure }
    return answer.changes.isEmpty ? .nothing : .success
  }
}

/// One difference as a JSON line.
private struct ChangeLine: Encodable {
  var change: String
  var localIdentifier: String
  /// The path of the photo's primary file, for a deleted photo the last known one; lossy if it is not UTF-8.
  var path: String?
  var pathBytes: String?
  /// The previous path; only for a moved photo.
  var previousPath: String?
  var previousPathBytes: String?
  /// The title of an album that still exists.
  var album: String?

  init(_ change: PersistentChange, title: String?) {
    self.change = change.kind.rawValue
    localIdentifier = change.identifier.rawValue
    let (path, previous) = (change.path, change.previousPath)
    let texts = (path.map { PathText($0.bytes) }, previous.map { PathText($0.bytes) })
    (self.path, pathBytes) = (texts.0?.text, texts.0?.base64)
    (previousPath, previousPathBytes) = (texts.1?.text, texts.1?.base64)
    album = title
  }
}

/// The last line, with the token for the next call.
private struct TokenLine: Encodable {
  var token: String
}
