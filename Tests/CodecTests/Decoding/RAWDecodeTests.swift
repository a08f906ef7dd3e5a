import CodecProtocol
import Fixtures
import Pixels
import Testing

/// DNG files put together by hand, decoded by the real helper.
@Suite struct RAWDecodeTests {
  private func jpeg(_ picture: PixelBuffer) throws -> [UInt8] {
    var photo = TestPhoto(picture)
    photo.hasEXIF = false
    return try photo.bytes()
  }

  /// A DNG that is 640×480 pixels when upright, with a preview stored in the sensor's orientation.
  private func negative(
    orientation: Orientation = .topLeft, preview: PixelSize? = PixelSize(width: 320, height: 240)
  ) throws -> [UInt8] {
    let stored = orientation.upright(PixelSize(width: 640, height: 480))
    var file = HandmadeDNG(
      width: UInt32(stored.width), height: UInt32(stored.height), orientation: UInt16(orientation.rawValue))
    if let preview {
      let picture = TestPicture.make(preview).stored(as: orientation)
      file.preview = (try jpeg(picture), UInt32(picture.width), UInt32(picture.height))
    }
    return file.bytes
  }

  @Test(arguments: Orientation.allCases)
  func `The preview is displayed upright`(orientation: Orientation) throws {
    let picture = try Decoding.picture(negative(orientation: orientation))
    #expect(picture.width == 320)
    #expect(picture.height == 240)
    #expect(picture.sourceWidth == 640)
    #expect(picture.sourceHeight == 480)
    #expect(picture.isUpright)
    #expect(picture.error < 3)
    #expect(picture.isOpaque)
  }

  @Test(arguments: [(300, 320), (160, 160), (100, 160), (40, 40), (20, 20)])
  func `A preview is reduced as far as the request allows`(target: Int, width: Int) throws {
    let request = DecodeRequest(targetWidth: target, fills: true, source: .embedded)
    let picture = try Decoding.picture(negative(orientation: .rightTop), request)
    #expect(picture.width == width)
    #expect(picture.isUpright)
  }

  @Test func `A preview that is already upright is unchanged`() throws {
    var file = HandmadeDNG(width: 640, height: 480, orientation: 6)
    file.preview = (try jpeg(TestPicture.make(width: 240, height: 320)), 240, 320)
    #expect(try Decoding.picture(file.bytes).isUpright)
  }

  @Test func `A profile in the preview is used`() throws {
    var file = HandmadeDNG(width: 640, height: 480)
    let profile = HandmadeICC.displayP3
    let bytes = try jpeg(.testPictureInDisplayP3(width: 320, height: 240))
    // Two pieces, as a larger profile would need.
    var stream = Array(bytes[..<2])
    for (index, piece) in [profile[..<1000], profile[1000...]].enumerated() {
      stream += [0xFF, 0xE2] + Boxes.number(UInt16(piece.count + 16))
      stream += Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 2] + piece
    }
    file.preview = (stream + bytes[2...], 320, 240)
    #expect(try Decoding.picture(file.bytes).error < 3)
  }

  @Test func `A preview without a compression tag is ignored`() throws {
    // LibRaw would take it for a layered one, and its length for that of each layer.
    var bytes = try negative()
    let compression: [UInt8] = [3, 1, 3, 0, 1, 0, 0, 0, 7, 0]
    let place = try #require((0..<200).first { bytes[$0...].starts(with: compression) })
    bytes[place + 8] = 0
    for number in 0..<20 {
      let request = DecodeRequest(targetWidth: 20 + number)
      if let picture = try? Decoding.picture(bytes, request) { #expect(picture.sourceWidth == 640) }
    }
  }

  @Test func `Without a preview the picture is developed, but there is no embedded one`() throws {
    let bytes = try negative(preview: nil)
    #expect(Decoding.error(bytes, DecodeRequest(source: .embedded)) == .nothingEmbedded)
    let picture = try Decoding.picture(bytes)
    #expect(picture.width == 640)
    #expect(picture.height == 480)
  }

  @Test(arguments: [.topLeft, .rightTop, .bottomRight, .leftBottom] as [Orientation], [true, false])
  func `A developed picture has the sensor's colors, and is upright`(
    orientation: Orientation, isHalf: Bool
  ) throws {
    let stored = TestPicture.make(width: 320, height: 240).stored(as: orientation)
    var file = HandmadeDNG(
      width: UInt32(stored.width), height: UInt32(stored.height), orientation: UInt16(orientation.rawValue))
    file.samples = (0..<stored.width * stored.height).map { index in
      let (x, y) = (index % stored.width, index / stored.width)
      let color = stored[x, y]
      let value = x % 2 + y % 2 == 0 ? color.red : x % 2 + y % 2 == 2 ? color.blue : color.green
      // Linear light, roughly: the square of the value.
      return UInt16(value) * UInt16(value)
    }
    let target = isHalf ? 160 : 0
    let request = DecodeRequest(targetWidth: target, fills: true, source: .developed)
    let picture = try Decoding.picture(file.bytes, request)
    #expect(picture.width == (isHalf ? 160 : 320))
    #expect(picture.height == (isHalf ? 120 : 240))
    #expect(picture.sourceWidth == 320)
    #expect(picture.isUpright)
  }

  @Test func `A damaged preview counts as none`() throws {
    var file = HandmadeDNG(width: 640, height: 480)
    file.preview = ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2] + Boxes.zeros(500), 320, 240)
    #expect(try Decoding.picture(file.bytes).width == 640)
  }

  @Test func `A request for only the preview reports what is wrong with it`() throws {
    var file = HandmadeDNG(width: 640, height: 480)
    file.preview = (try jpeg(TestPicture.make(width: 1280, height: 960)), 1280, 960)
    let limit = 640 * 480
    #expect(
      Decoding.error(file.bytes, DecodeRequest(source: .embedded, maxPixels: limit))
        == .tooLarge(width: 1280, height: 960))
    #expect(try Decoding.picture(file.bytes, DecodeRequest(maxPixels: limit)).width == 640)
  }

  @Test(arguments: [0, 80])
  func `Missing rows of a truncated preview are transparent`(target: Int) throws {
    var file = HandmadeDNG(width: 640, height: 480)
    let stream = try jpeg(TestPicture.make(width: 320, height: 240))
    file.preview = (Array(stream.prefix(stream.count / 2)), 320, 240)
    let picture = try Decoding.picture(file.bytes, DecodeRequest(targetWidth: target, fills: true))
    #expect(picture.note == "its preview is damaged")
    #expect(!picture.isOpaque)
    let pixels = picture.pixels
    #expect(TestPicture.Corner(of: pixels[2, 2]) == .topLeft)
    #expect(pixels.bytes[3] == 255)
    #expect(pixels.bytes.last == 0)
  }

  @Test func `Too many pixels are rejected`() throws {
    let reason = CodecError.tooLarge("the picture is 640 x 480 pixels, too large to be shown")
    #expect(Decoding.error(try negative(), DecodeRequest(maxPixels: 640 * 480 - 1)) == reason)
  }
}
