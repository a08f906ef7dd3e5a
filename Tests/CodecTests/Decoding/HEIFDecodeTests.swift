import CodecProtocol
import Fixtures
import Pixels
import Testing

/// HEIC and AVIF files by libheif's encoder and FFmpeg, decoded by the real helper.
@Suite struct HEIFDecodeTests {
  /// A file of the picture by libheif's encoder, which reads PNG and JPEG.
  private func encode(
    _ picture: PixelBuffer = TestPicture.make(width: 160, height: 120), to name: String,
    convert: [String] = [], options: [String] = []
  ) throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.write(picture, to: "a.ppm")
    try folder.write(HandmadeICC.displayP3, to: "p3.icc")
    try folder.run(["convert", "a.ppm"] + convert + ["a.png"])
    try folder.run(
      // Any quality will do, and the best settings take seconds.
      ["heif-enc", "-q", "90", "-p"] + (name.hasSuffix("avif") ? ["speed=9", "-A"] : ["preset=ultrafast"])
        + options + ["a.png", "-o", name])
    return try folder.bytes(of: name)
  }

  @Test(
    arguments: [
      ("a.heic", [], []), ("a.avif", [], []), ("a.heic", ["-depth", "16"], ["-b", "10"]),
      ("a.avif", ["-depth", "16"], ["-b", "12"]), ("a.heic", [], ["-p", "chroma=444"]),
      ("a.heic", [], ["-L"]),
    ] as [(String, [String], [String])])
  func `Colors stay close to the stored ones`(
    name: String, convert: [String], options: [String]
  ) throws {
    let picture = try Decoding.picture(encode(to: name, convert: convert, options: options))
    #expect(picture.width == 160)
    #expect(picture.height == 120)
    #expect(picture.isUpright)
    #expect(picture.error < 3)
    #expect(picture.isOpaque)
  }

  @Test(arguments: ["a.heic", "a.avif"])
  func `A profile's colors are converted to sRGB`(name: String) throws {
    let source = PixelBuffer.testPictureInDisplayP3(width: 160, height: 120)
    #expect(try Decoding.picture(encode(source, to: name, convert: ["-profile", "p3.icc"])).error < 3)
    // The encoder wrote different bytes than without the profile.
    #expect(try Decoding.picture(encode(source, to: name)).error > 10)
  }

  @Test(arguments: ["a.heic", "a.avif"])
  func `Alpha is preserved`(name: String) throws {
    let alpha = ["-alpha", "set", "-region", "80x120+80+0", "-channel", "A", "-evaluate", "set", "0"]
    let picture = try Decoding.picture(
      encode(to: name, convert: alpha + ["+channel", "+region", "-define", "png:color-type=6"]))
    #expect(!picture.isOpaque)
    let pixels = picture.pixels
    #expect(pixels.bytes[(60 * 160 + 40) * 4 + 3] > 250)
    #expect(pixels.bytes[(60 * 160 + 120) * 4 + 3] < 5)
    #expect(TestPicture.Corner(of: pixels[5, 5]) == .topLeft)
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt8], [nil, 0, 1] as [UInt8?])
  func `The container's rotations and mirrors are applied once, EXIF's never`(
    turns: UInt8, axis: UInt8?
  ) throws {
    // Properties apply in order: the rotation, then the mirror, whose axis 0 exchanges top and bottom (ISO/IEC
    // 23008-12:2022, 6.5.12).
    let turned: [Orientation] = [.topLeft, .rightTop, .bottomRight, .leftBottom]
    var stored = TestPicture.make(width: 160, height: 96)
    if let axis { stored = stored.stored(as: axis == 0 ? .bottomLeft : .topRight) }
    stored = stored.stored(as: turned[(4 - Int(turns)) % 4])
    let properties =
      Boxes.box("irot", [turns]) + (axis.map { Boxes.box("imir", [$0]) } ?? [])
    // The EXIF block always contradicts it.
    let file = try AssembledHEIC(tiles: [stored], properties: properties, exifOrientation: 6)
    let picture = try Decoding.picture(file.bytes)
    #expect(picture.width == 160)
    #expect(picture.height == 96)
    #expect(picture.isUpright, "\(turns) turns, axis \(axis.map(Int.init) ?? -1)")
  }

  /// The effect of a container property on a picture.
  enum Step: Hashable, Sendable {
    /// Quarter turns counterclockwise.
    case turn(UInt8)
    /// Axis 0 exchanges top and bottom, 1 left and right.
    case mirror(UInt8)
    /// Removes pixels to the left of a line, and above one.
    case crop(left: Int, top: Int)

    /// The property's box, for a picture of a size.
    func box(_ size: PixelSize) -> [UInt8] {
      switch self {
      case .turn(let turns): return Boxes.box("irot", [turns])
      case .mirror(let axis): return Boxes.box("imir", [axis])
      case .crop(let left, let top):
        // The center of the remaining part moves by half of what is removed.
        return Boxes.box(
          "clap", Boxes.number(UInt32(size.width - left)), Boxes.number(1 as UInt32),
          Boxes.number(UInt32(size.height - top)), Boxes.number(1 as UInt32), Boxes.number(UInt32(left)),
          Boxes.number(2 as UInt32), Boxes.number(UInt32(top)), Boxes.number(2 as UInt32))
      }
    }

    /// The picture with the property applied, pixel by pixel.
    func apply(to picture: PixelBuffer) -> PixelBuffer {
      let (width, height) = (picture.width, picture.height)
      switch self {
      case .crop(let left, let top):
        return picture.part(x: left, y: top, width: width - left, height: height - top)
      case .mirror(let axis):
        return Self.picture(width, height) { x, y in
          axis == 0 ? picture[x, height - 1 - y] : picture[width - 1 - x, y]
        }
      case .turn(let turns):
        return (0..<turns).reduce(picture) { turned, _ in
          Self.picture(turned.height, turned.width) { x, y in turned[turned.width - 1 - y, x] }
        }
      }
    }

    private static func picture(
      _ width: Int, _ height: Int, _ color: (Int, Int) -> Color
    ) -> PixelBuffer {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(width * height * 4)
      for y in 0..<height {
        for x in 0..<width {
          let color = color(x, y)
          bytes.append(color.red)
          bytes.append(color.green)
          bytes.append(color.blue)
          bytes.append(255)
        }
      }
      return PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
    }
  }

  /// Properties, and their effect on a picture and its thumbnail.
  private struct Case: Sendable {
    var chain: [Step]
    var stored = TestPicture.make(width: 320, height: 192)
    var small = TestPicture.make(width: 160, height: 96)
    var expected: PixelBuffer
    var expectedSmall: PixelBuffer
    var boxes: [UInt8] = []
    var smallBoxes: [UInt8] = []

    init(_ chain: [Step]) {
      self.chain = chain
      (expected, expectedSmall) = (stored, small)
      for step in chain {
        boxes += step.box(expected.size)
        expected = step.apply(to: expected)
        // A crop is given in pixels of its picture.
        if case .crop = step { continue }
        smallBoxes += step.box(expectedSmall.size)
        expectedSmall = step.apply(to: expectedSmall)
      }
    }
  }

  /// Computed once for all codings: pixel by pixel takes longer than decoding.
  private static let cases = chains.map(Case.init)

  private static let chains: [[Step]] =
    (0...3).flatMap { turns in
      (0...1).flatMap { axis in [[.turn(turns), .mirror(axis)], [.mirror(axis), .turn(turns)]] }
    } + [
      [.turn(1)], [.mirror(0), .mirror(1)], [.crop(left: 32, top: 16), .turn(1), .mirror(0)],
      [.mirror(1), .crop(left: 32, top: 16), .turn(3)], [.turn(1), .mirror(1), .crop(left: 16, top: 48)],
    ]

  // Encoding takes most of the time: the same coded pictures serve all chains.
  @Test(arguments: [
    AssembledHEIC.Coding(isAV1: false, bits: 8), .init(isAV1: false, bits: 10), .init(isAV1: true, bits: 8),
    .init(isAV1: true, bits: 10), .init(isAV1: true, bits: 12),
  ])
  func `Rotations, mirrors and crops apply in order, at any bit depth`(
    coding: AssembledHEIC.Coding
  ) throws {
    for each in Self.cases {
      let (chain, stored, small) = (each.chain, each.stored, each.small)
      let (expected, expectedSmall) = (each.expected, each.expectedSmall)
      let (boxes, smallBoxes) = (each.boxes, each.smallBoxes)
      let picture = try Decoding.picture(
        AssembledHEIC(tiles: [stored], properties: boxes, coding: coding).bytes)
      #expect(picture.pixels.meanError(to: expected) < 3, "\(chain)")
      guard smallBoxes.count == boxes.count else { continue }
      let both = try AssembledHEIC(
        tiles: [stored], properties: boxes, thumbnails: [small], turnsThumbnails: true, coding: coding
      ).bytes
      let embedded = try Decoding.picture(both, DecodeRequest(source: .embedded))
      #expect(embedded.pixels.meanError(to: expectedSmall) < 3, "thumbnail: \(chain)")
      let longest = max(expected.width, expected.height)
      #expect(max(embedded.sourceWidth, embedded.sourceHeight) == longest)
      let reduced = try Decoding.picture(
        AssembledHEIC(tiles: [stored], properties: boxes, coding: coding).bytes,
        DecodeRequest(targetWidth: expected.width / 2, targetHeight: expected.height / 2))
      #expect((reduced.sourceWidth, reduced.sourceHeight) == (expected.width, expected.height))
      #expect(reduced.pixels.meanError(to: expectedSmall) < 6, "reduced: \(chain)")
      let facts = try Decoding.helper.facts(ofBytes: both)
      #expect(facts.width == expected.width && facts.height == expected.height, "facts: \(chain)")
    }
  }

  @Test func `A ten-bit picture with alpha is mirrored, too`() throws {
    let alpha = [
      "-depth", "16", "-alpha", "set", "-region", "80x120+80+0", "-channel", "A", "-evaluate", "set", "0",
    ]
    var bytes = try encode(
      to: "a.avif", convert: alpha + ["+channel", "+region", "-define", "png:color-type=6"],
      options: ["-b", "10"])
    // The configuration has the bit depth as well. As a mirror the box begins with axis 0.
    let ranges = bytes.ranges(of: Array("pixi".utf8))
    try #require(!ranges.isEmpty)
    for range in ranges { bytes.replaceSubrange(range, with: Array("imir".utf8)) }
    let picture = try Decoding.picture(bytes)
    let pixels = picture.pixels
    #expect(!picture.isOpaque)
    #expect(pixels.bytes[(60 * 160 + 40) * 4 + 3] > 250)
    #expect(pixels.bytes[(60 * 160 + 120) * 4 + 3] < 5)
    #expect(TestPicture.Corner(of: pixels[5, 114]) == .topLeft)
  }

  @Test func `A grid of tiles is one picture`() throws {
    let whole = TestPicture.make(width: 240, height: 160)
    let tiles = (0..<6).map { whole.part(x: $0 % 3 * 80, y: $0 / 3 * 80, width: 80, height: 80) }
    let picture = try Decoding.picture(AssembledHEIC(tiles: tiles, columns: 3).bytes)
    #expect(picture.width == 240)
    #expect(picture.height == 160)
    #expect(picture.isUpright)
    #expect(picture.error < 3)
  }

  @Test func `A grid of ten-bit tiles is mirrored and rotated as one picture`() throws {
    let whole = TestPicture.make(width: 240, height: 160)
    let tiles = (0..<6).map { whole.part(x: $0 % 3 * 80, y: $0 / 3 * 80, width: 80, height: 80) }
    let steps = [Step.mirror(1), .turn(1)]
    let file = try AssembledHEIC(
      tiles: tiles, columns: 3, properties: steps.flatMap { $0.box(whole.size) },
      coding: AssembledHEIC.Coding(bits: 10))
    let expected = steps.reduce(whole) { $1.apply(to: $0) }
    #expect(try Decoding.picture(file.bytes).pixels.meanError(to: expected) < 3)
  }

  @Test func `A thumbnail is used if it is large enough`() throws {
    let bytes = try encode(
      TestPicture.make(width: 640, height: 480), to: "a.heic", options: ["-t", "160"])
    let embedded = try Decoding.picture(bytes, DecodeRequest(source: .embedded))
    #expect(embedded.width == 160)
    #expect(embedded.sourceWidth == 640)
    #expect(embedded.isUpright)
    // 160×120 covers this box, but a picture made from 640×480 would have 128×96 pixels.
    let small = try Decoding.picture(bytes, DecodeRequest(targetWidth: 120, targetHeight: 90, fills: true))
    #expect(small.width == 160)
    #expect(
      try Decoding.picture(bytes, DecodeRequest(targetWidth: 200, targetHeight: 150, fills: true)).width
        == 214)
    #expect(try Decoding.picture(bytes).width == 640)
    #expect(
      Decoding.error(try encode(to: "a.heic"), DecodeRequest(source: .embedded)) == .nothingEmbedded)
  }

  @Test func `A thumbnail with another aspect ratio than the picture is not used`() throws {
    let whole = TestPicture.make(width: 320, height: 192)
    let square = TestPicture.make(width: 128, height: 128)
    let alike = TestPicture.make(width: 120, height: 72)
    let both = try AssembledHEIC(tiles: [whole], thumbnails: [square, alike]).bytes
    let embedded = try Decoding.picture(both, DecodeRequest(source: .embedded))
    #expect(embedded.width == 120 && embedded.height == 72)
    #expect(embedded.sourceWidth == 320)
    #expect(embedded.isUpright)
    let small = DecodeRequest(targetWidth: 100, targetHeight: 60, fills: true)
    #expect(try Decoding.picture(both, small).width == 120)
    let other = try AssembledHEIC(tiles: [whole], thumbnails: [square]).bytes
    #expect(Decoding.error(other, DecodeRequest(source: .embedded)) == .nothingEmbedded)
    let made = try Decoding.picture(other, small)
    #expect(made.isUpright && made.width > made.height)
  }

  @Test func `The colors of a picture without a profile follow its coding`() throws {
    // Display P3's primaries and sRGB's curve (ITU-T H.273, 12 and 13), the matrix of BT.601 as libheif writes it.
    let coding = Boxes.box("colr", Array("nclx".utf8), [0, 12, 0, 13, 0, 6, 0x80])
    let stored = PixelBuffer.testPictureInDisplayP3(width: 160, height: 120)
    #expect(try Decoding.picture(AssembledHEIC(tiles: [stored], properties: coding).bytes).error < 3)
    #expect(try Decoding.picture(AssembledHEIC(tiles: [stored]).bytes).error > 10)
  }

  @Test func `Premultiplied colors are restored`() throws {
    let half = PixelBuffer(
      size: PixelSize(width: 64, height: 64), filledWith: Color(red: 100, green: 50, blue: 0))
    let alpha = ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%", "+channel"]
    let convert = alpha + ["-define", "png:color-type=6"]
    let plain = try Decoding.picture(encode(half, to: "a.heic", convert: convert)).pixels[32, 32]
    #expect(abs(Int(plain.red) - 100) <= 4 && abs(Int(plain.green) - 50) <= 4)
    let multiplied = try Decoding.picture(
      encode(half, to: "a.heic", convert: convert, options: ["--premultiplied-alpha"])
    ).pixels[32, 32]
    #expect(abs(Int(multiplied.red) - 200) <= 8 && abs(Int(multiplied.green) - 100) <= 8)
  }

  @Test func `An AVIF of several pictures shows its first one`() throws {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 64, height: 48), to: "1.ppm")
    try folder.write(PixelBuffer(size: PixelSize(width: 64, height: 48), filledWith: .black), to: "2.ppm")
    try folder.run(
      "ffmpeg", "-framerate", "5", "-i", "%d.ppm", "-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "10",
      "a.avif")
    #expect(try Decoding.picture(folder.bytes(of: "a.avif")).isUpright)
  }

  @Test func `A picture with too many pixels is rejected`() throws {
    let reason = CodecError.tooLarge("the picture is 160 x 120 pixels, too large to be shown")
    #expect(Decoding.error(try encode(to: "a.heic"), DecodeRequest(maxPixels: 160 * 120 - 1)) == reason)
    // A sufficiently small thumbnail does not change that.
    let request = DecodeRequest(targetWidth: 120, targetHeight: 90, fills: true, maxPixels: 640 * 480 - 1)
    let large = try encode(TestPicture.make(width: 640, height: 480), to: "a.heic", options: ["-t", "160"])
    #expect(Decoding.error(large, request) == .tooLarge(width: 640, height: 480))
    let absurd = HandmadeHEIC(width: 60_000, height: 60_000).bytes
    guard case .tooLarge = Decoding.error(absurd) else {
      Issue.record("60,000 pixels in both directions are accepted")
      return
    }
  }
}

extension PixelBuffer {
  /// A rectangle of the picture.
  func part(x: Int, y: Int, width: Int, height: Int) -> PixelBuffer {
    var rows: [UInt8] = []
    for row in y..<y + height {
      let start = (row * self.width + x) * 4
      rows += bytes[start..<start + width * 4]
    }
    return PixelBuffer(size: PixelSize(width: width, height: height), bytes: rows)
  }
}
