import AssetLibrary
import Pixels
import TerminalGraphics

@testable import PickerRuntime
@testable import PickerUI

/// A run loop over a library in memory, driven step by step on a scripted terminal.
///
/// The screen shows only the grid, because prefetching would happen at unpredictable times.
final class LoopRun {
  let terminal: ScriptedTerminal
  let clock = TestClock()
  let mailbox: Mailbox<LoopEvent>
  let images = ScriptedImages()
  let consent = ConsentScreen()
  let access: LibraryAccessController
  let works = WorkReporter()
  let loop: PickerLoop
  /// The selections reported so far.
  private(set) var reports: [[String]] = []
  /// Called with each report.
  var reader: ([String]) -> Void = { _ in }

  /// - Parameters:
  ///   - pictureBytes: The file size of a picture.
  ///   - graphics: The graphics protocol; nil = iTerm2's, detected rather than requested.
  ///   - library: The library to show; nil = the assets in memory.
  ///   - cellSize: The cell size set by the user.
  init(
    _ assets: [Asset] = .numbered(40), terminal: ScriptedTerminal = ScriptedTerminal(),
    pictureBytes: Int = 100, status: AuthorizationStatus = .authorized, graphics: GraphicsProtocol? = nil,
    library: (any AssetStore)? = nil, cellSize: PixelSize? = nil, bytesPerSecond: Double? = nil,
    programs: ProgramRunner? = nil, player: MediaPlayer? = nil, delivery: ResultDelivery? = nil,
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
    access = LibraryAccessController(
      library ?? StoreWithoutDetails(MemoryAssetStore(assets)), images, status: status, consent: consent)
    var report: (([Asset]) -> Void)?
    loop = PickerLoop(
      options, on: terminal, mailbox: mailbox, library: PickerLibrary(access), consent: consent, works: works,
      pictures: pictures, clock: clock, programs: programs, player: player, delivery: delivery
    ) { report?($0) }
    report = { [unowned self] assets in
      reports.append(assets.map(\.id.rawValue))
      reader(reports[reports.count - 1])
    }
  }

  /// Starts the loop and runs it until the library has answered every request.
  func open() async throws {
    try loop.begin()
    try loop.draw()
    try await turnUntilListed()
  }

  /// Handles messages until the albums arrive, which the library answers last, then draws.
  func turnUntilListed() async throws { try await turn { !$0.sidebar.albums.lines.isEmpty } }

  /// Handles messages until the state meets the condition, then draws.
  ///
  /// Messages themselves are no criterion, because `handle` takes further ones that arrive meanwhile.
  func turn(until isMeant: (PickerState) -> Bool) async throws {
    while !isMeant(loop.state) { try loop.handle(await mailbox.taken()) }
    try loop.draw()
  }

  /// Posts events, handles them and draws.
  func send(_ events: TerminalEvent...) throws {
    for event in events { mailbox.post(.terminal(event)) }
    try turn()
  }

  /// Handles pending messages and draws.
  func turn() throws {
    try loop.handle(mailbox.takeAll(within: .zero))
    try loop.draw()
  }

  /// The names of visible photos whose pictures are being made, in grid order.
  var visible: [String] {
    images.open.filter { $0.priority == .visible }.map(\.name).reversed()
  }

  /// Delivers the pictures of some photos, each filled with its photo's number plus one.
  func make(_ names: [String], isDegraded: Bool = false) {
    for name in names {
      images.answer(name, fill: Self.fill(of: name), isDegraded: isDegraded)
    }
  }

  /// The fill byte of a photo's picture.
  static func fill(of name: String) -> UInt8 { UInt8(name.dropFirst()).map { $0 + 1 } ?? 0 }
}
