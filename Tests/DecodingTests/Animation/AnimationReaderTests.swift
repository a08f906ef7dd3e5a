import AssetLibrary
import CodecProtocol
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Decoding

@Suite struct AnimationReaderTests {
  private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
  )
  private static let size = PixelSize(width: 8, height: 6)

  /// A red canvas, a green square that disappears again, a blue one.
  private static func animation(plays: Int = 0, delays: [Int] = [50, 0, 200]) -> HandmadeAnimation {
    let square = PixelSize(width: 4, height: 3)
    return HandmadeAnimation(
      size: size, plays: plays,
      [
        .init(red, size: size, delay: delays[0]),
        .init(green, left: 4, size: square, delay: delays[1], disposal: 2),
        .init(blue, top: 3, size: square, delay: delays[2]),
      ])
  }

  private static func reader(
    _ bytes: some Sequence<UInt8>, orientation: Orientation = .topLeft, target: PixelSize = .maximum,
    cancellation: Cancellation = Cancellation()
  ) throws -> AnimationReader {
    try AnimationReader(
      MemoryReader(bytes), name: "a", orientation: orientation, target: target, colors: ColorManager(),
      cancellation: cancellation)
  }

  /// Files with this animation, by format.
  private static func files(plays: Int = 0) throws -> [(name: String, bytes: [UInt8])] {
    let animation = animation(plays: plays)
    return [
      ("GIF", animation.gif), ("PNG", animation.png()),
      ("PNG with a still", animation.png(hasOwnStill: true)),
    ]
  }

  /// The colors of the corners, as letters; a dot is transparent.
  private static func corners(_ picture: PixelBuffer) -> String {
    let (right, bottom) = (picture.width - 1, picture.height - 1)
    return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { x, y in
      let at = (y * picture.width + x) * 4
      switch Array(picture.bytes[at..<at + 4]) {
      case red: return "r"
      case green: return "g"
      case blue: return "b"
      case let pixel where pixel[3] == 0: return "."
      default: return "?"
      }
    }.joined()
  }

  private static func all(_ reader: AnimationReader) throws -> [MovingFrame] {
    var frames: [MovingFrame] = []
    while let frame = try reader.next(.none) { frames.append(frame) }
    return frames
  }

  @Test(arguments: 0..<3)
  func `Frames arrive composed, with the durations that browsers use`(index: Int) throws {
    let reader = try Self.reader(try Self.files()[index].bytes)
    for _ in 0..<2 {
      let frames = try Self.all(reader)
      #expect(frames.map { Self.corners($0.pixels) } == ["rrrr", "rgrr", "rrbr"])
      #expect(frames.map(\.start) == [.zero, .milliseconds(50), .milliseconds(150)])
      #expect(frames.map(\.duration) == [50, 100, 200].map { .milliseconds($0) })
      #expect(frames.allSatisfy { $0.pixels.size == Self.size })
      #expect(try reader.next(.none) == nil)
      try reader.rewind()
    }
  }

  @Test(arguments: [(0, nil), (1, 1), (5, 5), (257, 257), (600, 600)] as [(Int, Int?)])
  func `The animation loops as often as the file says`(plays: Int, count: Int?) throws {
    for file in try Self.files(plays: plays) {
      let reader = try Self.reader(file.bytes)
      _ = try Self.all(reader)
      #expect(reader.playCount == count, "\(file.name)")
    }
  }

  @Test func `Each loop begins with an empty canvas`() throws {
    let pieces = [[255, 0, 0, 0], Self.green].map { HandmadeAnimation.Piece($0, size: Self.size) }
    let animation = HandmadeAnimation(size: Self.size, pieces)
    for bytes in [animation.gif, animation.png()] {
      let reader = try Self.reader(bytes)
      for _ in 0..<2 {
        #expect(try Self.all(reader).map { Self.corners($0.pixels) } == ["....", "gggg"])
        try reader.rewind()
      }
    }
  }

  @Test func `A GIF's settings for one frame do not apply to the next`() throws {
    let blank: [UInt8] = [255, 0, 0, 0]
    let pieces = [blank, Self.green].map { HandmadeAnimation.Piece($0, size: Self.size, delay: 500) }
    var bytes = HandmadeAnimation(size: Self.size, pieces).gif
    // The second frame has no graphic control extension, whose eight bytes begin with these.
    let controls = bytes.ranges(of: [0x21, 0xF9, 4])
    #expect(controls.count == 2)
    bytes.removeSubrange(controls[1].lowerBound..<controls[1].lowerBound + 8)
    let frames = try Self.all(Self.reader(bytes))
    #expect(frames.map { Self.corners($0.pixels) } == ["....", "gggg"])
    #expect(frames.map(\.duration) == [.milliseconds(500), .milliseconds(100)])
  }

  @Test func `A seek continues with the frame that is shown at the time`() throws {
    for file in try Self.files() {
      let reader = try Self.reader(file.bytes)
      for (time, starts) in [(60, [50, 150]), (50, [50, 150]), (9999, [150]), (0, [0, 50, 150])] {
        try reader.seek(to: .milliseconds(time))
        #expect(try Self.all(reader).map(\.start) == starts.map { .milliseconds($0) })
      }
    }
  }

  @Test func `Late frames are skipped, but never the last`() throws {
    for file in try Self.files() {
      let reader = try Self.reader(file.bytes)
      let second = try #require(try reader.next(FrameSkip(until: .milliseconds(60), most: 9)))
      #expect(second.start == .milliseconds(50) && Self.corners(second.pixels) == "rgrr")
      try reader.rewind()
      // A skipped frame is still drawn on the canvas.
      let last = try #require(try reader.next(FrameSkip(until: .seconds(60), most: 9)))
      #expect(last.start == .milliseconds(150) && Self.corners(last.pixels) == "rrbr")
      #expect(try reader.next(.none) == nil)
      try reader.rewind()
      let first = try #require(try reader.next(FrameSkip(until: .seconds(60), most: 0)))
      #expect(first.start == .zero)
    }
  }

  @Test func `Frames are rotated and scaled down`() throws {
    let reader = try Self.reader(
      Self.animation().gif, orientation: .rightTop, target: PixelSize(width: 3, height: 4))
    let frame = try #require(try Self.all(reader).last)
    #expect(frame.pixels.size == PixelSize(width: 3, height: 4))
    // The lower left corner becomes the upper left one.
    #expect(Self.corners(frame.pixels).first == "b")
  }

  @Test func `WebP animations play too`() throws {
    let folder = try TemporaryFolder()
    try folder.run([
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-lossless", "1", "-loop", "3", "a.webp",
    ])
    let reader = try Self.reader(try folder.bytes(of: "a.webp"))
    let frames = try Self.all(reader)
    #expect(frames.count == 5 && frames.allSatisfy { $0.pixels.size == PixelSize(width: 64, height: 48) })
    #expect(frames.map(\.start) == (0..<5).map { .milliseconds(200 * $0) })
    #expect(Set(frames.map(\.pixels.bytes)).count == 5)
    #expect(reader.playCount == 3)
    try reader.rewind()
    #expect(try Self.all(reader).map(\.pixels) == frames.map(\.pixels))
  }

  @Test func `A truncated file plays as far as it goes`() throws {
    for file in try Self.files() {
      for length in stride(from: 0, to: file.bytes.count, by: 3) {
        guard let reader = try? Self.reader(Array(file.bytes[..<length])) else { continue }
        guard let frames = try? Self.all(reader) else { continue }
        #expect(frames.count <= 3)
        #expect(frames.first.map { $0.pixels.size == Self.size } ?? true)
      }
    }
  }

  @Test func `Changed bytes cause neither crashes nor endless playback`() throws {
    for file in try Self.files() {
      var frames = 0
      for seed in 0..<300 {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = file.bytes
        for _ in 0..<3 {
          bytes[Int.random(in: 6..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let reader = try? Self.reader(bytes) else { continue }
        for _ in 0..<5 where (try? reader.next(FrameSkip(until: .seconds(9), most: 2))) != nil { frames += 1 }
      }
      // Many still play, as far as they go.
      #expect(frames > 100, "\(file.name)")
    }
  }

  @Test func `An oversized canvas is rejected`() throws {
    let animation = HandmadeAnimation(
      size: PixelSize(width: 65_000, height: 65_000), [.init(Self.red, size: PixelSize(width: 1, height: 1))])
    #expect(throws: AssetError.self) {
      let reader = try Self.reader(animation.gif)
      _ = try reader.next(.none)
    }
  }

  @Test(arguments: [(0, 0), (0, 6), (4, 3), (4, 20)])
  func `A GIF whose screen is smaller than its first frame has the size of that`(
    width: Int, height: Int
  )
    throws
  {
    let (first, later) = (PixelSize(width: 8, height: 6), PixelSize(width: 40, height: 3))
    let bytes = HandmadeAnimation(
      size: PixelSize(width: width, height: height),
      [.init(Self.red, left: 3, top: 1, size: first), .init(Self.blue, left: 4, size: later)]
    ).gif
    let reader = try Self.reader(bytes)
    let frames = [try reader.next(.none), try reader.next(.none)].compactMap { $0?.pixels }
    #expect(frames.map(\.size) == [first, first])
    #expect(frames.map { Self.corners($0) } == ["rrrr", "rbrr"])
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    let still = try decoder.decode(MemoryReader(bytes), name: "a.gif", needed: { $0 })
    #expect(still?.pixels.size == first)
  }

  @Test func `Large frames play, passed to the decoder in parts`() throws {
    let size = PixelSize(width: 700, height: 500)
    let animation = HandmadeAnimation(
      size: size,
      [.init(Self.red, size: size), .init(Self.green, left: 100, size: PixelSize(width: 600, height: 500))])
    let frames = try Self.all(try Self.reader(animation.png()))
    #expect(frames.map { Self.corners($0.pixels) } == ["rrrr", "rgrg"])
  }

  @Test func `A frame in too many pieces is rejected`() throws {
    let png = Self.animation().png()
    let at = try #require((0..<png.count - 4).first { png[$0..<$0 + 4].elementsEqual("IDAT".utf8) }) - 4
    let crumbs = Array(
      repeatElement(MediaBytes.big(1, 4) + Array("IDAT".utf8) + [0, 0, 0, 0, 0], count: 70_000).joined())
    let reader = try Self.reader(png[..<at] + crumbs)
    #expect(throws: AssetError("a", "the file is too large to be shown")) { try reader.next(.none) }
  }

  @Test func `A still picture is no animation`() throws {
    let photo = try TestPhoto(width: 40, height: 30).bytes()
    #expect(throws: AssetError("a", "not an animation or a video")) { try Self.reader(photo) }
    #expect(throws: AssetError("a", "not an animation or a video")) {
      try Self.reader(PNGChecksums.mended(PictureFiles.png(width: 4, height: 4)))
    }
  }

  @Test func `A file truncated during playback ends with an error instead of empty loops`() throws {
    for file in try Self.files() {
      let changing = ChangingReader(file.bytes)
      let reader = try AnimationReader(
        changing, name: "a", orientation: .topLeft, target: .maximum, colors: ColorManager(),
        cancellation: Cancellation())
      #expect(try Self.all(reader).count == 3)
      // Only the header, and for a GIF its trailer.
      changing.become(Array(file.bytes[..<13]) + [0x3B])
      try reader.rewind()
      for _ in 0..<2 { #expect(throws: AssetError.self, "\(file.name)") { try reader.next(.none) } }
    }
  }

  @Test(arguments: [0, 1, 40])
  func `A GIF without its trailer loops as often as it says`(missing: Int) throws {
    let reader = try Self.reader(Self.animation(plays: 0).gif.dropLast(missing))
    #expect(try !Self.all(reader).isEmpty)
    #expect(reader.playCount == nil)
  }

  @Test func `Each kind of PNG sample information is kept once, and only if it is needed`() throws {
    let chunk = 1 << 20
    var pieces: [Int: [UInt8]] = [0: Array(Self.animation().png()[..<53])]
    for index in 0..<200 {
      let type = ["tRNS", "iCCP", "PLTE", "sRGB", "gAMA", "cHRM"][index % 6]
      pieces[53 + index * (chunk + 12)] = MediaBytes.big(chunk, 4) + Array(type.utf8)
    }
    let reader = SparseReader(count: 53 + 200 * (chunk + 12), pieces)
    _ = try? AnimationReader(
      reader, name: "a", orientation: .topLeft, target: .maximum, colors: ColorManager(),
      cancellation: Cancellation())
    #expect(reader.bytesRead < 5 << 20)
  }

  @Test(arguments: ["IHDR", "acTL"])
  func `A chunk that is too long for its type is not read`(type: String) throws {
    let png = Self.animation().png()
    let at = try #require((0..<png.count - 4).first { png[$0..<$0 + 4].elementsEqual(type.utf8) }) - 4
    let head = Array(png[..<at]) + MediaBytes.big(100 << 20, 4) + Array(type.utf8)
    let reader = SparseReader(count: head.count + 100 << 20, [0: head])
    #expect(throws: AssetError.self) {
      try AnimationReader(
        reader, name: "a", orientation: .topLeft, target: .maximum, colors: ColorManager(),
        cancellation: Cancellation())
    }
    #expect(reader.bytesRead < 1 << 20)
  }

  @Test func `A PNG beyond the maximum length is rejected`() throws {
    let reader = SparseReader(count: DecodeBudget().streamedFile + 1, [0: Self.animation().png()])
    #expect(throws: AssetError("a", "the file is too large to be shown")) {
      try AnimationReader(
        reader, name: "a", orientation: .topLeft, target: .maximum, colors: ColorManager(),
        cancellation: Cancellation())
    }
  }

  @Test func `After cancellation no frame is returned`() throws {
    let cancellation = Cancellation()
    let reader = try Self.reader(Self.animation().gif, cancellation: cancellation)
    #expect(try reader.next(.none) != nil)
    cancellation.cancel()
    #expect(try reader.next(.none) == nil)
  }
}
