import AssetLibrary
import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime

@Suite(.serialized, .timeLimit(.minutes(120))) struct PicturePlayerTests {
  /// A message of the player.
  private struct Word: Hashable, Sendable {
    var event: PlaybackEvent
    var generation: Int
  }

  private let clock = HeldClock()
  private let images = ScriptedImages()
  private let words = Mailbox<Word>()
  private let player: PicturePlayer
  private let asset = Asset.photo("clip")

  init() {
    player = PicturePlayer(
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock
    ) { [words] in words.post(Word(event: $0, generation: $1)) }
  }

  private var key: PictureKey { PictureKey(asset, size: PictureRequest.size, mode: .aspectFit) }

  private func play(
    _ frames: ScriptedFrames?, generation: Int = 1, _ change: (inout PlaybackRequest) -> Void = { _ in }
  ) {
    if let frames { images.setFrames(frames, of: asset) }
    let encoder = InlineImageEncoder(cell: PixelSize(width: 10, height: 20)) { [$0.bytes[0]] }
    var request = PlaybackRequest(generation: generation, asset: asset, key: key)
    change(&request)
    player.play(request, with: PictureEncoders(encoder: encoder))
  }

  /// The event of a frame by its number.
  private static func frame(
    _ number: Int, generation: Int = 1, seek: Int = 0, length: Duration? = nil
  ) -> Word {
    let time = ScriptedFrames.duration * number
    return Word(
      event: .frame(
        PlaybackMoment(
          time: time, duration: ScriptedFrames.duration, length: length, seekNumber: seek)),
      generation: generation)
  }

  @Test func `Frames arrive in order, each at its time`() async throws {
    let frames = ScriptedFrames(count: 3, playCount: 1)
    play(frames)
    var versions: [UInt64] = []
    var heard: [Word] = []
    for number in 0..<3 {
      heard = await words.taken()
      #expect(heard.removeFirst() == Self.frame(number))
      let picture = try #require(player.picture(for: key))
      versions.append(picture.version)
      #expect(picture.isTransient)
      #expect(frames.made.count <= number + 2)
      player.sent(picture.version)
      if number < 2 {
        #expect(await clock.nextWait() == ScriptedFrames.duration)
        #expect(heard.isEmpty && words.isEmpty)
        clock.advance(by: ScriptedFrames.duration)
      }
    }
    #expect(versions == versions.sorted() && Set(versions).count == 3)
    if heard.isEmpty { heard = await words.taken() }
    #expect(heard == [Word(event: .ended(seekNumber: 0), generation: 1)])
    #expect(frames.made == [0, 1, 2])
    // The last frame stays.
    #expect(player.picture(for: key)?.version == versions.last)
  }

  @Test func `A tile of the grid has ten frames a second`() async throws {
    let frames = ScriptedFrames(count: 9, playCount: 1)
    play(frames) {
      $0.isInGrid = true
      $0.rate = 4
    }
    var heard: [Word] = []
    for number in [0, 4, 8] {
      if number > 0 {
        #expect(await clock.nextWait() == ScriptedFrames.duration)
        clock.advance(by: ScriptedFrames.duration)
      }
      if heard.isEmpty { heard = await words.taken() }
      #expect(heard.removeFirst() == Self.frame(number))
      player.sent(try #require(player.picture(for: key)).version)
    }
    #expect(frames.made == Array(0..<9))
  }

  @Test func `The frames of a cropped picture cover it`() async throws {
    var photo = asset
    photo.pixelSize = PixelSize(width: 400, height: 200)
    let frames = ScriptedFrames(count: 1, playCount: 1)
    images.setFrames(frames, of: photo)
    let sizes = Mailbox<PixelSize>()
    let encoder = InlineImageEncoder(cell: PixelSize(width: 10, height: 20)) { [sizes] in
      sizes.post($0.size)
      return [$0.bytes[0]]
    }
    let key = PictureKey(photo, size: PixelSize(width: 60, height: 60), mode: .aspectFill)
    let request = PlaybackRequest(generation: 1, asset: photo, key: key)
    #expect(request.frames.targetSize == PixelSize(width: 120, height: 60))
    player.play(request, with: PictureEncoders(encoder: encoder))
    #expect(await sizes.taken() == [PixelSize(width: 60, height: 60)])
  }

  @Test func `The clip of a Live Photo is as large as its still picture`() async throws {
    var photo = asset
    photo.playbackStyle = .livePhoto
    images.setFrames(ScriptedFrames(count: 1, playCount: 1), of: photo)
    let sizes = Mailbox<PixelSize>()
    let encoder = InlineImageEncoder(cell: PixelSize(width: 10, height: 20)) { [sizes] in
      sizes.post($0.size)
      return [$0.bytes[0]]
    }
    player.play(
      PlaybackRequest(generation: 1, asset: photo, key: key), with: PictureEncoders(encoder: encoder))
    // The frames are squares of 40 pixels, and the photo has 4000x3000.
    #expect(await sizes.taken() == [photo.pixelSize.scaled(toward: key.size, .aspectFit)])
    #expect(photo.pixelSize.scaled(toward: key.size, .aspectFit) != PixelSize(width: 40, height: 40))
    #expect(PlaybackRequest(generation: 1, asset: asset, key: key).stillSize == nil)
  }

  @Test func `No frame is prepared before the previous one is on the screen`() async throws {
    let frames = ScriptedFrames(count: 5, playCount: 1)
    play(frames)
    _ = await words.taken()
    let first = try #require(player.picture(for: key)?.version)
    _ = await clock.nextWait()
    clock.advance(by: ScriptedFrames.duration)
    // The second frame is due and waits for the first.
    #expect(await clock.nextWait() == .seconds(1))
    #expect(words.isEmpty && player.picture(for: key)?.version == first && frames.made == [0, 1])
    player.sent(first)
    #expect(await words.taken() == [Self.frame(1)])
    #expect(player.picture(for: key)?.version != first)
  }

  @Test func `A hidden frame is waited for at most a second`() async throws {
    play(ScriptedFrames(count: 5, playCount: 1))
    _ = await words.taken()
    _ = await clock.nextWait()
    clock.advance(by: ScriptedFrames.duration)
    #expect(await clock.nextWait() == .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(await words.taken() == [Self.frame(1)])
  }

  @Test func `A loop restarts after its last frame was shown for its duration`()
    async throws
  {
    let frames = ScriptedFrames(count: 2, playCount: nil)
    play(frames)
    for _ in 0..<5 {
      _ = await words.taken()
      player.sent(try #require(player.picture(for: key)?.version))
      #expect(await clock.nextWait() == ScriptedFrames.duration)
      clock.advance(by: ScriptedFrames.duration)
    }
    player.stop()
    #expect(frames.rewindCount == 2)
    #expect(frames.made.starts(with: [0, 1, 0, 1, 0]))
  }

  @Test func `A stopped player sends nothing and releases its frame`() async throws {
    play(ScriptedFrames(count: 3, playCount: nil))
    _ = await words.taken()
    _ = await clock.nextWait()
    player.stop()
    #expect(player.picture(for: key) == nil)
    // A message for the next one arrives, and none for the old one before it.
    play(nil, generation: 2)
    #expect(await words.taken().first == Self.frame(0, generation: 2))
  }

  @Test func `A replaced player ends and shows nothing`() async throws {
    play(ScriptedFrames(count: 3, playCount: 1))
    _ = await words.taken()
    _ = await clock.nextWait()
    let first = try #require(images.cancellations.first)
    #expect(!first.isCancelled)
    play(ScriptedFrames(count: 3, playCount: 1), generation: 2)
    #expect(first.isCancelled)
    var heard: [Word] = []
    while !heard.contains(Word(event: .ended(seekNumber: 0), generation: 2)) {
      heard += await words.taken()
      if let version = player.picture(for: key)?.version { player.sent(version) }
      clock.advance(by: ScriptedFrames.duration)
    }
    #expect(heard.allSatisfy { $0.generation == 2 })
    player.stop()
    #expect(images.cancellations.allSatisfy { $0.isCancelled })
  }

  @Test func `A new animation replaces the playing one`() async throws {
    play(ScriptedFrames(count: 3, playCount: nil))
    _ = await words.taken()
    play(ScriptedFrames(count: 3, playCount: nil), generation: 2)
    var heard: [Word] = []
    while !heard.contains(Self.frame(0, generation: 2)) { heard += await words.taken() }
    #expect(!heard.contains { $0.event == .ended(seekNumber: 0) })
    player.stop()
  }

  @Test func `A single frame is not played`() async {
    play(ScriptedFrames(count: 1, playCount: nil))
    var heard: [Word] = []
    while heard.count < 2 { heard += await words.taken() }
    #expect(heard == [Self.frame(0), Word(event: .ended(seekNumber: 0), generation: 1)])
  }

  @Test func `A file that can't be played reports the reason`() async {
    play(nil, generation: 3)
    #expect(await words.taken() == [Word(event: .failed(reason: "does not move"), generation: 3)])
  }

  // MARK: Control

  private func markSent() {
    if let version = player.picture(for: key)?.version { player.sent(version) }
  }

  @Test func `A pause keeps the frame, and playback goes on after it`() async throws {
    let frames = ScriptedFrames(count: 5, playCount: 1)
    play(frames)
    #expect(await words.taken() == [Self.frame(0)])
    markSent()
    #expect(await clock.nextWait() == ScriptedFrames.duration)
    player.control(.pause)
    // Time passes, and nothing happens.
    clock.advance(by: .seconds(100))
    player.control(.resume)
    // The time that was left before the pause is left after it.
    #expect(await clock.nextWait() == ScriptedFrames.duration)
    #expect(words.isEmpty)
    clock.advance(by: ScriptedFrames.duration)
    #expect(await words.taken() == [Self.frame(1)])
    #expect(frames.made.starts(with: [0, 1]))
    player.stop()
  }

  @Test func `Steps after a long pause leave no frame out`() async throws {
    play(ScriptedFrames(count: 10, playCount: 1))
    #expect(await words.taken() == [Self.frame(0)])
    markSent()
    #expect(await clock.nextWait() == ScriptedFrames.duration)
    player.control(.pause)
    clock.advance(by: .seconds(100))
    for number in 1...3 {
      player.control(.step)
      #expect(await words.taken() == [Self.frame(number)])
    }
    player.stop()
  }

  @Test func `Another place is shown at once, also during a pause`() async throws {
    let length = ScriptedFrames.duration * 10
    play(ScriptedFrames(count: 10, playCount: 1, statesLength: true)) { $0.isPaused = true }
    #expect(await words.taken() == [Self.frame(0, length: length)])
    player.control(.seek(.time(.milliseconds(250)), number: 1))
    #expect(await words.taken() == [Self.frame(2, seek: 1, length: length)])
    player.control(.seek(.fraction(0.75), number: 2))
    #expect(await words.taken() == [Self.frame(7, seek: 2, length: length)])
    // Just before the visible frame is the previous one.
    player.control(.seek(.time(.milliseconds(700) - .microseconds(1)), number: 3))
    #expect(await words.taken() == [Self.frame(6, seek: 3, length: length)])
    player.control(.step)
    #expect(await words.taken() == [Self.frame(7, seek: 3, length: length)])
    markSent()
    player.control(.resume)
    #expect(await clock.nextWait() == ScriptedFrames.duration)
    player.stop()
  }

  @Test func `A step at the end keeps the last frame, and does not end playback`() async throws {
    play(ScriptedFrames(count: 2, playCount: 1)) {
      $0.isPaused = true
      $0.start = .time(ScriptedFrames.duration)
    }
    #expect(await words.taken() == [Self.frame(1)])
    player.control(.step)
    player.control(.seek(.time(.zero), number: 4))
    // The length may be known from the end that the step has reached.
    let heard = await words.taken()
    #expect(heard.count == 1)
    if case .frame(let moment)? = heard.first?.event {
      #expect(moment.time == .zero && moment.seekNumber == 4)
    }
    player.stop()
  }

  @Test func `The end names the last seek that was followed`() async throws {
    play(ScriptedFrames(count: 3, playCount: 1)) {
      $0.start = .time(ScriptedFrames.duration * 2)
      $0.seekNumber = 7
    }
    var heard: [Word] = []
    while heard.count < 2 {
      heard += await words.taken()
      markSent()
      clock.advance(by: ScriptedFrames.duration)
    }
    #expect(heard == [Self.frame(2, seek: 7), Word(event: .ended(seekNumber: 7), generation: 1)])
  }

  @Test func `A file with one frame ends also if it is to be played forever`() async {
    play(ScriptedFrames(count: 1, playCount: nil)) { $0.loops = true }
    var heard: [Word] = []
    while heard.count < 2 { heard += await words.taken() }
    #expect(heard == [Self.frame(0), Word(event: .ended(seekNumber: 0, loops: true), generation: 1)])
  }

  @Test func `The length of an animation is found for a fraction of it`() async throws {
    let frames = ScriptedFrames(count: 1000, playCount: nil)
    play(frames) {
      $0.isPaused = true
      $0.start = .fraction(0.5)
    }
    #expect(await words.taken() == [Self.frame(500, length: .seconds(100))])
    player.stop()
  }

  @Test func `Playback at another rate shows frames sooner or later`() async throws {
    play(ScriptedFrames(count: 9, playCount: 1)) { $0.rate = 2 }
    #expect(await words.taken() == [Self.frame(0)])
    markSent()
    #expect(await clock.nextWait() == ScriptedFrames.duration / 2)
    clock.advance(by: ScriptedFrames.duration / 2)
    #expect(await words.taken() == [Self.frame(1)])
    player.stop()
  }

  @Test(arguments: [true, false])
  func `An order decides whether playback is repeated`(isForever: Bool) async throws {
    play(ScriptedFrames(count: 2, playCount: isForever ? 1 : nil)) { $0.loops = isForever }
    var heard: [Word] = []
    for number in [0, 1, 0, 1, 0].prefix(isForever ? 5 : 2) {
      if heard.isEmpty { heard = await words.taken() }
      guard case .frame(let moment) = heard.removeFirst().event else { break }
      #expect(moment.time == ScriptedFrames.duration * number)
      markSent()
      guard isForever || number == 0 else { break }
      #expect(await clock.nextWait() == ScriptedFrames.duration)
      clock.advance(by: ScriptedFrames.duration)
    }
    if !isForever {
      if heard.isEmpty { heard = await words.taken() }
      #expect(heard == [Word(event: .ended(seekNumber: 0, loops: false), generation: 1)])
    }
    player.stop()
  }

  @Test func `The version of the picture is the one whose frames are requested`() async throws {
    var other = key
    other.version = .unadjusted
    images.setFrames(ScriptedFrames(count: 1, playCount: 1), of: asset)
    let encoder = InlineImageEncoder(cell: PixelSize(width: 10, height: 20)) { [$0.bytes[0]] }
    player.play(
      PlaybackRequest(generation: 1, asset: asset, key: other), with: PictureEncoders(encoder: encoder))
    _ = await words.taken()
    #expect(images.frameRequests.map(\.version) == [.unadjusted])
  }

  @Test func `It is shown only in place of its still picture`() async throws {
    play(ScriptedFrames(count: 2, playCount: 1))
    _ = await words.taken()
    #expect(player.picture(for: PictureRequest.thumbnail(asset).key) == nil)
  }
}
