import Fixtures
import Foundation
import Metadata
import Pixels
import Synchronization
import TestTerminal
import Testing

/// The picker as the tests start it.
enum Program {
  static let path = sibling("tpick")

  /// A program of the package by name.
  static func sibling(_ name: String) -> String { Fixtures.Program.path(of: name) }
  static var python: String { Fixtures.Program.python }

  /// The folder of the index in tests, unless one sets another: never the user's.
  private static let home = Result { try SharedFolders.make().path }

  static func environment(_ own: [String: String] = [:]) throws -> [String: String] {
    let home = try home.get()
    // One picker's stored screen changes must not affect the next.
    let state = "\(home)/state-\(UInt64.random(in: 0 ... .max))"
    // The notice about block graphics appears only in the first run, and the tests read the status line at once.
    try FileManager.default.createDirectory(
      atPath: "\(state)/tpick", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let told = Data("told = \"blocks\"\n".utf8)
    guard
      FileManager.default.createFile(
        atPath: "\(state)/tpick/screen.toml", contents: told, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    let folders = [
      "XDG_CACHE_HOME": "\(home)/cache", "XDG_DATA_HOME": "\(home)/data", "XDG_CONFIG_HOME": "\(home)/config",
      "XDG_STATE_HOME": state, "XDG_RUNTIME_DIR": state,
      // Many sessions run side by side: late answers of their terminals say that the machine is busy.
      "TPICK_LINK": "fast",
    ]
    return folders.merging(own) { $1 }
  }

  /// Runs the picker in a virtual terminal, in a session that owns the folder.
  ///
  /// Its cells are small, so that the unoptimized program of a test run has few pixels to process.
  static func pick(
    _ arguments: [String], in folder: TemporaryFolder? = nil, columns: Int = 120, rows: Int = 40,
    profile: TerminalProfile = .sixel, environment: [String: String] = [:],
    standardInput: StandardInput = .terminal,
    standardOutput: StandardOutput = .pipe
  ) throws -> TerminalSession {
    try TerminalSession(
      path, arguments + (folder.map { [$0.path] } ?? []), environment: Self.environment(environment),
      columns: columns, rows: rows, profile: profile, cell: (5, 10), standardInput: standardInput,
      standardOutput: standardOutput, owning: folder.map { [$0] } ?? [])
  }

  /// Plays a file of a folder at the cursor, endlessly if it loops.
  static func play(
    _ name: String, in folder: TemporaryFolder, profile: TerminalProfile
  ) throws -> TerminalSession {
    try TerminalSession(
      path, ["show", "--animate", "--size", "8x3", "\(folder.path)/\(name)"], environment: environment(),
      columns: 40, rows: 12, profile: profile, standardOutput: .terminal, owning: [folder])
  }

  /// The output and status of a run without a screen.
  struct Output {
    var status: TestTerminal.ExitStatus
    var output: [UInt8]
    var errors: String

    var lines: [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Runs the program without a screen until it ends.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], timeout: Double = 120
  ) throws -> Output {
    try run(
      rawArguments: arguments.map { Array($0.utf8) }, environment: environment, timeout: timeout)
  }

  static func run(
    rawArguments: [[UInt8]], environment: [String: String] = [:],
    input: StandardInput = .null, timeout: Double = 120
  ) throws -> Output {
    let session = try TerminalSession(
      path, rawArguments: rawArguments, environment: Self.environment(environment), standardInput: input)
    let status = try session.waitForExit(timeout: timeout)
    return Output(
      status: status, output: session.standardOutputBytes,
      errors: String(decoding: session.standardErrorBytes, as: UTF8.self))
  }
}

extension VirtualTerminal {
  /// The pictures in the grid of a screen of 120 columns and more, in reading order.
  var tiles: [TerminalRectangle] {
    pictureAreas.filter { (18..<columns * 2 / 3).contains($0.column) }.sorted {
      ($0.row, $0.column) < ($1.row, $1.column)
    }
  }

  /// The characters of one row.
  func characters(inRow row: Int) -> [Character] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.contains(row) ? Array(lines[row]) : []
  }

  /// The number of pictures drawn so far, in any protocol.
  var drawnPictures: Int { pictureHistory.count + kittyTransmissions }
}

extension TerminalSession {
  /// Waits until the grid shows `count` photos and every picture on the screen is drawn.
  func waitForGrid(_ count: Int) throws {
    try waitForText(count == 1 ? "1 photo " : "\(count) photos")
    try waitUntil("the pictures") { $0.pictureAreas.count >= min(count, 2) && !$0.text.contains("⋯") }
    // The pictures of a slow terminal follow the text piece by piece.
    try waitForIdle()
  }

  /// Waits until the whole library is read.
  ///
  /// Until then Esc, which otherwise leaves the picker, stops the reading if that has taken a second.
  /// - Parameter count: What the first line shows then; nil = anything.
  func waitForLibrary(_ count: String? = nil) throws {
    try waitUntil("the whole library, \(count ?? "")") { screen in
      let text = screen.text
      if let count, !text.contains(count) { return false }
      return !text.contains("reading") && !text.contains("Esc stop")
    }
  }

  /// Plays the video under the cursor, and waits until a frame has replaced the still picture: from then on keys
  /// control the playback.
  ///
  /// On a busy machine that may be any frame, also the last one, which stays.
  func playVideo() throws {
    // An album that is found later changes the size of the preview, whose playback then starts again.
    try waitForIdle()
    send("w")
    try waitUntil("the time line of a video") { $0.text.contains(/\d:\d\d(\.\d\d)? ━/) }
  }

  /// Runs until the program has written `count` bytes, or has ended: a point in its work that does not depend on speed.
  func waitUntilWritten(_ count: Int) {
    let process = "/proc/\(processIdentifier)"
    while true {
      let state = try? String(contentsOfFile: "\(process)/stat", encoding: .utf8).split(separator: ")").last
      let counts = try? String(contentsOfFile: "\(process)/io", encoding: .utf8).split(separator: "\n")
      guard let state, !state.hasPrefix(" Z"), let line = counts?.first(where: { $0.hasPrefix("wchar: ") }),
        let written = Int(line.dropFirst(7)), written < count
      else { return }
      // The processors are for the program and the other tests.
      usleep(200)
    }
  }

  /// The lines on standard output.
  var outputLines: [String] {
    String(decoding: standardOutputBytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Waits until the photo with this name is under the cursor: only its name is beside the albums.
  func waitForCursor(on name: String) throws {
    try waitUntil("the cursor on \(name)") { Self.hasCursor(on: name, $0) }
  }

  /// Waits until another photo is under the cursor.
  func waitForNoCursor(on name: String) throws {
    try waitUntil("the cursor to leave \(name)") { $0.text.contains("╭") && !Self.hasCursor(on: name, $0) }
  }

  /// Waits until a tile has a number in its corner.
  /// - Parameter index: Index of the tile beside the albums in reading order.
  func waitForPick(_ number: Int, onTile index: Int) throws {
    try waitUntil("pick \(number) on tile \(index)") { screen in
      let tiles = screen.tiles
      guard tiles.indices.contains(index) else { return false }
      let tile = tiles[index]
      // Trailing blanks of a row are not among its characters.
      let line = screen.characters(inRow: tile.row + tile.rows - 1) + [" "]
      return line.dropFirst(tile.column + tile.columns - 4).prefix(4).contains(" \(number) ")
    }
  }

  private static func hasCursor(on name: String, _ screen: VirtualTerminal) -> Bool {
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().contains { row, line in
      guard let place = line.range(of: " \(name)") else { return false }
      let rest = line[place.upperBound...]
      // In the metadata line, before other items: in a small window it is directly below the thumbnails.
      if rest.hasPrefix(" · ") { return true }
      // Directly below a thumbnail is the name of any photo.
      let column = line.distance(from: line.startIndex, to: place.lowerBound) + 1
      let isCaption = screen.pictureAreas.contains {
        $0.columns < 20 && $0.row + $0.rows == row && ($0.column..<$0.column + $0.columns).contains(column)
      }
      // Alone in the pane, or in the metadata line of a window with no room for more, or for captions.
      return (!isCaption || screen.columns < 30) && rest.allSatisfy { $0 == " " }
    }
  }
}

/// Folders of photographs for the tests.
enum Photos {
  /// The photos made so far: most tests use the same ones.
  private static let made = Mutex<[Int: [UInt8]]>([:])

  private static func bytes(_ number: Int) throws -> [UInt8] {
    if let known = made.withLock({ $0[number] }) { return known }
    let photo = TestPhoto(width: 400, height: 300, date: .day(28 - number % 28, month: 12 - number / 28))
    let bytes = try photo.bytes()
    made.withLock { $0[number] = bytes }
    return bytes
  }

  /// A folder of photos `1.jpg`, `2.jpg`…, the first the newest, so that the grid shows them in this order.
  static func folder(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try write(count, to: folder)
    return folder
  }

  /// A folder of photos with fine detail, so that a row of thumbnails takes many bytes.
  static func detailed(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let scenes = (1...4).map { TestScene.make(PixelSize(width: 240, height: 180), seed: $0) }
    for number in 1...count {
      let date = CivilTime.day(28 - number % 28, month: 12 - number / 28)
      let photo = TestPhoto(scenes[number % scenes.count], date: date)
      try folder.write(try photo.bytes(), to: "\(number).jpg")
    }
    return folder
  }

  /// Puts such photos into a folder.
  /// - Parameter subfolder: A folder in it; nil = itself.
  static func write(_ count: Int, to folder: TemporaryFolder, in subfolder: String? = nil) throws {
    let path = subfolder.map { $0 + "/" } ?? ""
    for number in 1...count { try folder.write(try bytes(number), to: "\(path)\(number).jpg") }
  }
}
