import AssetLibrary
import Pixels
import TerminalGraphics

@testable import PickerRuntime
@testable import PickerUI

/// A run loop over a library in memory, driven step by step on a scripted terminal.
///
/// The screen shows the grid alone: nothing is read ahead that would come at times of its own.
final class LoopRun {
  let terminal: ScriptedTerminal
  let clock = TestClock()
  let mailbox: Mailbox<LoopEvent>
  let images = ScriptedImages()
  let consent = ConsentScreen()
  let works = WorkReporter()
  let loop: PickerLoop
  /// What was reported of the selection.
  private(set) var reports: [[String]] = []
  /// Reads each report.
  var reader: ([String]) -> Void = { _ in }

  /// - Parameters:
  ///   - pictureBytes: how long the file of a picture is.
  ///   - graphics: how pictures are drawn; nil = in iTerm2's way, which was found rather than asked for.
  ///   - library: what is shown; nil = the assets in memory.
  ///   - cellSize: what the user says of the size of a cell.
  init(
    _ assets: [Asset] = .numbered(40), terminal: ScriptedTerminal = ScriptedTerminal(),
    pictureBytes: Int = 100, status: AuthorizationStatus = .authorized, graphics: GraphicsProtocol? = nil,
    library: (any AssetStore)? = nil, cellSize: PixelSize? = nil, bytesPerSecond: Double? = nil,
    programs: ProgramRunner? = nil, delivery: ResultDelivery? = nil,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) {
    self.terminal = terminal
    mailbox = Mailbox(clock: clock)
    var options = PickerState.Options()
    options.configuration.selectionLimit = 0
    options.screen.showsAlbums = false
    options.screen.showsPreview = false
    configure(&options)
    var pictures = PictureOptions()
    pictures.graphics = graphics
    pictures.cellSize = cellSize
    pictures.bytesPerSecond = bytesPerSecond
    if graphics == nil {
      terminal.traits.capabilities.name = "iTerm2 3.5"
      terminal.traits.capabilities.quirks = TerminalQuirks(
        of: TerminalName("iTerm2 3.5"), in: TerminalEnvironment())
    }
    pictures.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: pictureBytes) }
    let access = LibraryAccessController(
      library ?? StoreWithoutDetails(MemoryAssetStore(assets)), images, status: status, consent: consent)
    var report: (([Asset]) -> Void)?
    loop = PickerLoop(
      options, on: terminal, mailbox: mailbox, library: PickerLibrary(access), consent: consent, works: works,
      pictures: pictures, clock: clock, programs: programs, delivery: delivery
    ) { report?($0) }
    report = { [unowned self] assets in
      reports.append(assets.map(\.id.rawValue))
      reader(reports[reports.count - 1])
    }
  }

  /// Begins, and goes on until the library has answered everything.
  func open() async throws {
    try loop.begin()
    try loop.draw()
    try await turnUntilListed()
  }

  /// Handles what comes until the albums are there, which the library answers last, then draws.
  func turnUntilListed() async throws { try await turn { !$0.sidebar.albums.lines.isEmpty } }

  /// Handles what comes until the state is as meant, then draws.
  ///
  /// Messages themselves don't tell: `handle` takes those that come meanwhile as well.
  func turn(until isMeant: (PickerState) -> Bool) async throws {
    while !isMeant(loop.state) { try loop.handle(await mailbox.taken()) }
    try loop.draw()
  }

  /// Has events come, handles them and draws.
  func send(_ events: TerminalEvent...) throws {
    for event in events { mailbox.post(.terminal(event)) }
    try turn()
  }

  /// Handles what has come, and draws.
  func turn() throws {
    try loop.handle(mailbox.takeAll(within: .zero))
    try loop.draw()
  }

  /// The names of the photos in sight whose pictures are under way, as the grid has them.
  var visible: [String] {
    images.open.filter { $0.priority == .visible }.map(\.name).reversed()
  }

  /// Makes the pictures of some photos, each filled with the number of its photo and one more.
  func make(_ names: [String], isDegraded: Bool = false) {
    for name in names {
      images.answer(name, fill: Self.fill(of: name), isDegraded: isDegraded)
    }
  }

  /// What the picture of a photo is filled with.
  static func fill(of name: String) -> UInt8 { UInt8(name.dropFirst()).map { $0 + 1 } ?? 0 }
}
