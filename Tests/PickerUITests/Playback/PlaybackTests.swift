import AssetLibrary
import Pixels
import SystemPackage
import Testing

@testable import PickerUI

@Suite struct PlaybackTests {
  /// Animations "0", "1" and "2", the photo "3", the Live Photo "4".
  private static let library: [Asset] = {
    var assets: [Asset] = .numbered(6)
    for index in 0..<3 { assets[index].playbackStyle = .imageAnimated }
    assets[4].playbackStyle = .livePhoto
    assets[4].resources.append(
      AssetResource(
        type: .pairedVideo, path: "p/4.mov", uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: 9)
    )
    return assets
  }()

  private static func open(size: CellSize = CellSize(columns: 120, rows: 40)) -> TestPicker {
    var picker = TestPicker.open(library, size: size)
    picker.makeDemanded()
    return picker
  }

  private static func plays(_ effects: [PickerEffect]) -> [PlaybackRequest] {
    effects.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  private static func orders(_ effects: [PickerEffect]) -> [PlaybackOrder] {
    effects.compactMap { if case .controlPlayback(let order) = $0 { order } else { nil } }
  }

  /// Plays the first item, and reports a frame of it.
  private static func playing(
    _ time: Duration = .zero, of length: Duration? = .seconds(100),
    size: CellSize = CellSize(columns: 120, rows: 40)
  ) throws -> (picker: TestPicker, request: PlaybackRequest) {
    var picker = open(size: size)
    let request = try #require(plays(picker.press(.character("w"))).first)
    picker.send(
      .playback(.frame(PlaybackMoment(time: time, length: length)), generation: request.generation))
    return (picker, request)
  }

  private static func timers(_ effects: [PickerEffect]) -> [PickerTimer] {
    effects.compactMap(\.timer).filter { if case .playback = $0 { true } else { false } }
  }

  @Test func `A key plays the item at the cursor at once`() throws {
    var picker = Self.open()
    let effects = picker.press(.character("w"))
    let request = try #require(Self.plays(effects).first)
    #expect(request.asset.id.rawValue == "0" && request.key.mode == .aspectFit)
    #expect(Self.timers(effects).isEmpty)
    #expect(Self.orders(picker.press(.character("w"))) == [.pause])
    #expect(Self.orders(picker.press(.character("w"))) == [.resume])
  }

  @Test func `A moving picture replaces the still one, also before that is present`() throws {
    var picker = TestPicker.open(Self.library)
    #expect(picker.frame.slots.isEmpty)
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.frame.slots.isEmpty)
    picker.send(.playback(.frame(PlaybackMoment(time: .zero)), generation: request.generation))
    #expect(picker.frame.slots.map(\.key) == [request.key])
    picker.press(.right)
    #expect(picker.frame.slots.isEmpty)
  }

  @Test func `Moving on stops playback, pausing on an item starts it`() throws {
    var picker = Self.open()
    picker.press(.character("w"))
    let first = picker.press(.right)
    #expect(first.contains(.stopPlaying) && Self.plays(first).isEmpty)
    let second = picker.press(.right)
    // Nothing is playing that would have to be stopped.
    #expect(!second.contains(.stopPlaying))
    let (early, late) = (try #require(Self.timers(first).first), try #require(Self.timers(second).first))
    #expect(Self.plays(picker.send(.timer(early))).isEmpty)
    #expect(Self.plays(picker.send(.timer(late))).map(\.asset.id.rawValue) == ["2"])
    // A second timer has no effect.
    #expect(Self.plays(picker.send(.timer(late))).isEmpty)
    #expect(Self.plays(picker.press(.space)).isEmpty)
  }

  @Test func `A still item does not play, and the next moving one does`() throws {
    var picker = Self.open()
    picker.press(.character("w"), .right, .right)
    let photo = picker.press(.right)
    #expect(Self.timers(photo).isEmpty && Self.plays(photo).isEmpty)
    let live = picker.press(.right)
    let timer = try #require(Self.timers(live).first)
    #expect(Self.plays(picker.send(.timer(timer))).map(\.asset.id.rawValue) == ["4"])
  }

  @Test func `A still item says that it can't be played`() {
    var picker = Self.open()
    picker.press(.right, .right, .right)
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(picker.lastLine.contains("3 has nothing to play"))
    picker.press(.left)
    picker.press(.character("w"), .right)
    picker.press(.character("w"))
    #expect(picker.lastLine.contains("Playback off"))
    #expect(Self.timers(picker.press(.left)).isEmpty)
  }

  @Test func `While something covers the preview, playback pauses`() throws {
    var picker = Self.open()
    picker.press(.character("w"))
    #expect(Self.orders(picker.press(.character("?"))) == [.pause])
    #expect(Self.orders(picker.press(.escape)) == [.resume])
    // What the user has paused stays so.
    picker.press(.character("w"))
    #expect(Self.orders(picker.press(.character("?"), .escape)).isEmpty)
    // The next item waits, too.
    picker.press(.character("w"))
    let timer = try #require(Self.timers(picker.press(.right)).first)
    picker.press(.character("?"))
    #expect(Self.plays(picker.send(.timer(timer))).isEmpty)
    let later = try #require(Self.timers(picker.press(.escape)).first)
    #expect(Self.plays(picker.send(.timer(later))).map(\.asset.id.rawValue) == ["1"])
  }

  @Test func `While the terminal does not have the focus, playback pauses`() {
    var picker = Self.open()
    picker.press(.character("w"))
    #expect(Self.orders(picker.send(.focused(false))) == [.pause])
    #expect(Self.orders(picker.send(.focused(false))).isEmpty)
    #expect(Self.orders(picker.send(.focused(true))) == [.resume])
    // A key proves that it has the focus.
    picker.send(.focused(false))
    #expect(Self.orders(picker.press(.character("w"))) == [.pause])
    #expect(Self.orders(picker.press(.character("w"))) == [.resume])
  }

  @Test func `A resize restarts playback where it was`() throws {
    let (opened, before) = try Self.playing(.seconds(7))
    var picker = opened
    picker.press(.character(">"))
    let effects = picker.press(.character("o"))
    #expect(effects.contains(.stopPlaying))
    let timer = try #require(Self.timers(effects).first)
    let after = try #require(Self.plays(picker.send(.timer(timer))).first)
    #expect(after.key != before.key && after.generation > before.generation)
    #expect(after.start == .time(.seconds(7)) && after.rate == 1.5 && !after.isPaused)
    // Another item starts at its start.
    let next = try #require(Self.timers(picker.press(.right)).first)
    let other = try #require(Self.plays(picker.send(.timer(next))).first)
    #expect(other.start == .time(.zero) && other.rate == 1)
  }

  @Test func `Messages about a previous item are stale`() throws {
    var picker = Self.open()
    let old = try #require(Self.plays(picker.press(.character("w"))).first)
    let timer = try #require(Self.timers(picker.press(.right)).first)
    picker.send(.playback(.frame(PlaybackMoment(time: .zero)), generation: old.generation))
    // The picture of the next one is still.
    picker.makeDemanded()
    let still = try #require(picker.frame.slots.first { $0.key.mode == .aspectFit }).key
    #expect(still.asset.rawValue == "1")
    let new = try #require(Self.plays(picker.send(.timer(timer))).first)
    picker.send(.playback(.failed(reason: "the file is damaged"), generation: old.generation))
    #expect(!picker.shows("can't be played"))
    picker.send(.playback(.failed(reason: "the file is damaged"), generation: new.generation))
    #expect(picker.lastLine.contains("1 can't be played: the file is damaged"))
  }

  @Test func `The version that is shown is the one that plays`() throws {
    var library = Self.library
    library[0].playbackStyle = .video
    library[0].resources[0].type = .fullSizeVideo
    library[0].resources.append(
      AssetResource(type: .video, path: "p/0.mov", uniformTypeIdentifier: "public.mpeg-4", byteCount: 9))
    var picker = TestPicker.open(library, size: CellSize(columns: 120, rows: 40))
    picker.press(.character("o"))
    picker.makeDemanded()
    let edit = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(edit.frames.resource?.type == .fullSizeVideo)
    let effects = picker.press(.character("e"))
    #expect(effects.contains(.stopPlaying))
    let timer = try #require(Self.timers(effects).first)
    let original = try #require(Self.plays(picker.send(.timer(timer))).first)
    #expect(original.frames.resource?.path == "p/0.mov" && original.key != edit.key)
  }

  @Test func `A finished item plays again on request, not by itself`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    picker.send(.playback(.frame(PlaybackMoment(time: .zero)), generation: request.generation))
    picker.send(.playback(.ended(seekNumber: 0), generation: request.generation))
    // The last frame stays.
    #expect(picker.frame.slots.contains { $0.key == request.key })
    #expect(Self.plays(picker.press(.space)).isEmpty)
    #expect(Self.plays(picker.press(.character("w"))).map(\.key) == [request.key])
    picker.press(.right)
    let timer = try #require(Self.timers(picker.press(.left)).first)
    #expect(Self.plays(picker.send(.timer(timer))).count == 1)
  }

  @Test func `Without a visible preview it opens in full screen`() throws {
    var picker = Self.open()
    picker.press(.character("p"))
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.isFullScreen)
    #expect(request.asset.id.rawValue == "0")
    #expect(picker.lastLine.contains("w pause"))
  }

  @Test func `Without a preview nothing plays`() {
    var picker = TestPicker.open(Self.library) { $0.configuration.disabledCapabilities = .preview }
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(picker.lastLine.contains("The preview is disabled"))
  }

  @Test func `Without graphics nothing plays`() throws {
    var picker = TestPicker(Self.library)
    var metrics = ScreenMetrics.size(CellSize(columns: 120, rows: 40))
    metrics.pictureGeometry = nil
    picker.send(.resized(metrics))
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(!picker.effects.contains { if case .play = $0 { true } else { false } })
    // Playback works once pictures can be drawn.
    let effects = picker.send(.resized(.size(CellSize(columns: 120, rows: 40))))
    let timer = try #require(Self.timers(effects).first)
    #expect(Self.plays(picker.send(.timer(timer))).map(\.asset.id.rawValue) == ["0"])
  }

  @Test func `The key's description says what it does, also before anything plays`() throws {
    var picker = Self.open()
    picker.press(.character("o"))
    #expect(picker.lastLine.contains("w play"))
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.lastLine.contains("w pause"))
    picker.press(.character("w"))
    #expect(picker.lastLine.contains("w play"))
    picker.press(.character("w"))
    picker.send(.playback(.ended(seekNumber: 0), generation: request.generation))
    #expect(picker.lastLine.contains("w play"))
    // On the next item playback waits for a second, and the key cancels it.
    picker.press(.right)
    #expect(picker.lastLine.contains("w stop"))
    picker.press(.character("w"))
    #expect(picker.lastLine.contains("w play"))
    // The next item does not wait to play either.
    let effects = picker.press(.left)
    #expect(Self.timers(effects).isEmpty)
  }

  // MARK: Control

  @Test func `Digits, brackets and points show other places`() throws {
    var (picker, _) = try Self.playing(.seconds(20))
    #expect(Self.orders(picker.press(.character("7"))) == [.seek(.time(.seconds(70)), number: 1)])
    #expect(Self.orders(picker.press(.character(")"))) == [.seek(.time(.seconds(75)), number: 2)])
    #expect(Self.orders(picker.press(.character("("))) == [.seek(.time(.seconds(70)), number: 3)])
    for _ in 0..<9 { picker.press(.character(")")) }
    #expect(Self.orders(picker.press(.character(")"))) == [.seek(.time(.seconds(100)), number: 13)])
    #expect(Self.orders(picker.press(.character("0"))) == [.seek(.time(.zero), number: 14)])
    #expect(Self.orders(picker.press(.character("("))) == [.seek(.time(.zero), number: 15)])
    #expect(Self.orders(picker.press(.character("."))) == [.pause, .step])
    #expect(Self.orders(picker.press(.character("."))) == [.step])
    #expect(Self.orders(picker.press(.character("w"))) == [.resume])
  }

  @Test func `Before the first frame and without playback the keys have their usual functions`() {
    var picker = Self.open()
    picker.press(.character("5"))
    #expect(Self.orders(picker.effects).isEmpty)
    picker.press(.escape)
    #expect(Self.orders(picker.press(.character("("))).isEmpty)
    picker.press(.character("."))
    #expect(picker.lastLine.contains("Hidden photos are shown"))
  }

  @Test func `The time of a frame from before a seek does not count`() throws {
    let (opened, request) = try Self.playing(.seconds(20))
    var picker = opened
    picker.press(.character("9"))
    let late = PlaybackEvent.frame(PlaybackMoment(time: .seconds(21), length: .seconds(100)))
    picker.send(.playback(late, generation: request.generation))
    #expect(Self.orders(picker.press(.character("("))) == [.seek(.time(.seconds(85)), number: 2)])
    let moment = PlaybackMoment(time: .seconds(86), length: .seconds(100), seekNumber: 2)
    picker.send(.playback(.frame(moment), generation: request.generation))
    // The previous frame is the one that is visible just before this one.
    #expect(
      Self.orders(picker.press(.character(",")))
        == [.pause, .seek(.time(.seconds(86) - .microseconds(1)), number: 3)])
  }

  @Test func `A place that is sought just as playback ends is shown`() throws {
    for (length, place): (Duration?, PlaybackPlace) in [
      (.seconds(100), .time(.seconds(30))), (nil, .fraction(0.3)),
    ] {
      let (opened, request) = try Self.playing(.seconds(99), of: length)
      var picker = opened
      picker.press(.character("3"))
      // The player had ended before the order arrived.
      let ended = picker.send(.playback(.ended(seekNumber: 0), generation: request.generation))
      let again = try #require(Self.plays(ended).first)
      #expect(again.start == place && again.seekNumber == 1 && again.key == request.key)
      // The end of what was played from there is the end.
      let last = picker.send(.playback(.ended(seekNumber: 1), generation: again.generation))
      #expect(Self.plays(last).isEmpty)
    }
  }

  @Test func `Playing forever that is wanted just as playback ends is not lost, and asked for once`() throws {
    let (opened, request) = try Self.playing(.seconds(99))
    var picker = opened
    picker.press(.character("L"))
    // The player had ended before the order arrived.
    let ended = picker.send(.playback(.ended(seekNumber: 0), generation: request.generation))
    let again = try #require(Self.plays(ended).first)
    #expect(again.start == .time(.zero) && again.loops == true && again.seekNumber == 1)
    // A file with one frame ends at once, and is not started again.
    let last = picker.send(.playback(.ended(seekNumber: 1, loops: true), generation: again.generation))
    #expect(Self.plays(last).isEmpty)
  }

  @Test func `A tenth of an animation of unknown length is left to the player`() throws {
    var (picker, _) = try Self.playing(of: nil)
    #expect(Self.orders(picker.press(.character("5"))) == [.seek(.fraction(0.5), number: 1)])
    #expect(Self.orders(picker.press(.character(")"))) == [.seek(.time(.seconds(5)), number: 2)])
  }

  @Test func `Speed and repetition are changed while it plays, and kept when it starts again`() throws {
    let (opened, request) = try Self.playing()
    var picker = opened
    #expect(Self.orders(picker.press(.character(">"))) == [.rate(1.5)])
    #expect(Self.orders(picker.press(.character("<"), .character("<"))) == [.rate(1), .rate(0.5)])
    #expect(Self.orders(picker.press(.character("L"))) == [.loops(true)])
    #expect(picker.lastLine.contains("Plays forever"))
    #expect(Self.orders(picker.press(.character("L"))) == [.loops(false)])
    picker.send(.playback(.ended(seekNumber: 0), generation: request.generation))
    let again = try #require(Self.plays(picker.press(.character("3"))).first)
    #expect(again.start == .time(.seconds(30)) && again.rate == 0.5 && again.loops == false)
    #expect(!again.isPaused && again.seekNumber == 1)
  }

  @Test func `The line below the picture shows the time, and the mouse moves it`() throws {
    for isFullScreen in [false, true] {
      let (opened, first) = try Self.playing(.seconds(25))
      var picker = opened
      if isFullScreen {
        let timer = try #require(Self.timers(picker.press(.character("o"))).first)
        let request = try #require(Self.plays(picker.send(.timer(timer))).first)
        #expect(request.start == .time(.seconds(25)) && request.generation > first.generation)
        let moment = PlaybackMoment(time: .seconds(25), length: .seconds(100))
        picker.send(.playback(.frame(moment), generation: request.generation))
      }
      let lines = picker.lines
      let row = try #require(lines.firstIndex { $0.contains("▶ 0:25") && $0.contains("1:40") })
      let line = Array(lines[row])
      let mark = try #require(line.firstIndex(of: "▶"))
      let end = try #require(line[mark...].firstIndex(of: "1"))
      let bar = line[mark..<end].indices.filter { "━─".contains(line[$0]) }
      let (start, last) = (try #require(bar.first), try #require(bar.last))
      #expect(bar.count == last - start + 1)
      #expect(abs(Double(bar.count { line[$0] == "━" }) / Double(bar.count) - 0.25) < 0.1)
      // Its ends and its middle.
      for (column, time) in [(last, 100.0), (start, 0), ((start + last) / 2, 50)] {
        let orders = Self.orders(picker.send(.mouse(MouseEvent(.press, row: row, column: column))))
        guard case .seek(.time(let sought), _)? = orders.first else {
          Issue.record("\(orders)")
          continue
        }
        #expect(abs(sought / .seconds(1) - time) < 4)
        picker.send(.mouse(MouseEvent(.release, row: row, column: column)))
      }
      // A drag goes on beyond the line, and ends with the release.
      picker.send(.mouse(MouseEvent(.press, row: row, column: start)))
      let dragged = Self.orders(picker.send(.mouse(MouseEvent(.drag, row: 0, column: 500))))
      #expect(dragged.count == 1)
      if case .seek(.time(let sought), _)? = dragged.first { #expect(sought == .seconds(100)) }
      picker.send(.mouse(MouseEvent(.release, row: 0, column: 500)))
      #expect(Self.orders(picker.send(.mouse(MouseEvent(.drag, row: row, column: start)))).isEmpty)
      // At its left end it pauses.
      #expect(
        Self.orders(picker.send(.mouse(MouseEvent(.press, row: row, column: mark)))) == [.pause])
      #expect(picker.lines[row].contains("|| "))
    }
  }

  @Test
  func `Where the mouse is reported in pixels, a click and a drag on the time line are exact to the pixel`()
    throws
  {
    var (picker, _) = try Self.playing(.seconds(25))
    let lines = picker.lines
    let row = try #require(lines.firstIndex { $0.contains("▶ 0:25") && $0.contains("1:40") })
    let line = Array(lines[row])
    let mark = try #require(line.firstIndex(of: "▶"))
    let end = try #require(line[mark...].firstIndex(of: "1"))
    let bar = line[mark..<end].indices.filter { "━─".contains(line[$0]) }
    let (start, last) = (try #require(bar.first), try #require(bar.last))
    let column = (start + last) / 2
    let cell = PixelSize(width: 10, height: 20)
    for action in [MouseEvent.Action.press, .drag] {
      for x in 0..<10 {
        let event = MouseEvent(action, row: row * 20 + 7, column: column * 10 + x).inCells(of: cell)
        let orders = Self.orders(picker.send(.mouse(event)))
        guard case .seek(.time(let sought), _)? = orders.first else {
          Issue.record("\(orders)")
          continue
        }
        let place = Double(column - start) + (Double(x) + 0.5) / 10 - 0.5
        // Places are kept in 10,000 steps.
        #expect(abs(sought / .seconds(1) - 100 * place / Double(last - start)) < 0.006)
      }
    }
  }

  @Test func `A pause stays at its frame when the cursor comes back only by playing again`() throws {
    var (picker, _) = try Self.playing(.seconds(20))
    picker.press(.character("w"))
    #expect(picker.press(.right).contains(.stopPlaying))
    // After a pause, the next item does not start by itself.
    #expect(Self.timers(picker.press(.left)).isEmpty)
    let again = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(again.start == .time(.zero))
  }
}
