import Fixtures
import Testing

@testable import CodecProtocol

@Suite struct WireTests {
  private var facts: CodecFacts {
    var facts = CodecFacts()
    facts.width = 4032
    facts.height = 3024
    facts.duration = 1.5
    facts.frameRate = 29.97
    facts.hasVideo = true
    facts.isStereo = true
    facts.imageCount = 2
    facts.auxiliaryTypes = ["urn:a", "urn:b"]
    facts.tags = ["name": "Wert ü", "": ""]
    facts.exif = [1, 2, 3]
    facts.xmp = Array("<x/>".utf8)
    var camera = CameraFacts()
    camera.make = "Maker"
    camera.isoSpeed = 400
    camera.captureSeconds = -5
    camera.latitude = -33.5
    facts.camera = camera
    return facts
  }

  private var picture: PictureFacts {
    var facts = PictureFacts(width: 1000, height: 7)
    facts.sourceWidth = 4000
    facts.isOpaque = false
    facts.note = "the file ends early"
    return facts
  }

  private func content(_ answer: CodecAnswer) -> [UInt8] {
    var wire = WireWriter()
    answer.write(to: &wire)
    return wire.bytes
  }

  @Test func `Answers arrive as they were sent`() throws {
    let answers: [CodecAnswer] = [
      .facts(facts, number: 7), .facts(CodecFacts(), number: 0), .picture(picture, number: 1),
      .failure(.unreadable("why"), number: .max), .failure(.tooLarge("why"), number: 2),
      .failure(.nothingEmbedded, number: 3), .failure(.incomplete(0..<1), number: 8),
      .failure(.incomplete(1 << 40..<1 << 41), number: 8), .ready(version: 1, .claimed),
      .frame(picture, start: 1 << 40, duration: 33_333, playCount: 3, number: 9), .endOfFrames(number: 2),
    ]
    for answer in answers { #expect(try CodecAnswer(content(answer)) == answer) }
  }

  @Test func `Requests arrive as they were sent`() throws {
    let decode = DecodeRequest(
      targetWidth: 900, targetHeight: 675, fills: true, source: .developed, maxPixels: 1 << 40)
    var partial = DecodeRequest(source: .embedded)
    partial.present = PresentRanges([0..<65_536, 1 << 40..<1 << 41])
    let play = FramesRequest(targetWidth: 800, targetHeight: 600, range: 7..<99_999_999_999)
    let times = FrameTimes(until: -1, most: 9)
    let requests: [CodecRequest] = [
      .facts(number: 12), .picture(decode, seconds: 30, number: 4),
      .picture(partial, seconds: 30, number: 4),
      .frames(play, times, seconds: 3, number: 5), .nextFrame(times, seconds: 3, number: 6), .stop,
    ]
    for request in requests {
      var wire = WireWriter()
      request.write(to: &wire)
      #expect(try CodecRequest(wire.bytes) == request)
    }
  }

  @Test func `An answer that is cut short or too long is none`() {
    for answer in [.facts(facts, number: 7), .picture(picture, number: 7)] as [CodecAnswer] {
      let whole = content(answer)
      for count in 0..<whole.count {
        #expect(throws: WireError.self) { try CodecAnswer(Array(whole[..<count])) }
      }
      #expect(throws: WireError.self) { try CodecAnswer(whole + [0]) }
    }
  }

  @Test func `Words have a length, and the beginning of more of them travels`() throws {
    let long = String(repeating: "wordy ", count: 400)
    let answer = try CodecAnswer(content(.failure(.unreadable(long), number: 1)))
    #expect(answer == .failure(.unreadable(String(long.prefix(1000))), number: 1))
    // A helper that was taken over does not cut.
    var wire = WireWriter()
    wire.put(UInt8(2))
    wire.put(UInt32(1))
    wire.put(long)
    let tooLong = wire.bytes
    #expect(throws: WireError.self) { try CodecAnswer(tooLong) }
  }

  @Test func `A request that is cut short or too long is none`() {
    var wire = WireWriter()
    CodecRequest.picture(DecodeRequest(), seconds: 3, number: 7).write(to: &wire)
    for count in 0..<wire.bytes.count {
      #expect(throws: WireError.self) { try CodecRequest(Array(wire.bytes[..<count])) }
    }
    #expect(throws: WireError.self) { try CodecRequest(wire.bytes + [0]) }
  }

  @Test func `Bytes that anyone made up do no harm`() {
    var generator = SeededGenerator(seed: 4)
    let whole = content(.facts(facts, number: 7))
    var understood = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if (try? CodecAnswer(bytes)) != nil { understood += 1 }
    }
    // Other numbers and letters are as good as the right ones; other lengths and kinds are refused.
    #expect((1..<2000).contains(understood))
  }

  @Test func `Numbers that are none are refused`() {
    var broken = CodecFacts()
    broken.duration = .nan
    #expect(throws: WireError.self) { try CodecAnswer(content(.facts(broken, number: 1))) }
    broken.duration = .infinity
    #expect(throws: WireError.self) { try CodecAnswer(content(.facts(broken, number: 1))) }
    broken.duration = -1
    #expect(throws: WireError.self) { try CodecAnswer(content(.facts(broken, number: 1))) }
    var flat = PictureFacts(width: 1000, height: 0)
    #expect(throws: WireError.self) { try CodecAnswer(content(.picture(flat, number: 1))) }
    flat.sourceHeight = 1
    #expect(throws: WireError.self) { try CodecAnswer(content(.picture(flat, number: 1))) }
    let picture = PictureFacts(width: 2, height: 2)
    for (start, duration) in [(-1, 0), (1 << 53, 0), (0, -1), (0, 1 << 40)] as [(Int64, Int64)] {
      let answer = CodecAnswer.frame(picture, start: start, duration: duration, playCount: 1, number: 1)
      #expect(throws: WireError.self) { try CodecAnswer(content(answer)) }
    }
  }

  @Test(arguments: [1, 3, 4, 5, 1000])
  func `Frames come together however the bytes arrive`(step: Int) throws {
    let frames: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 9, count: 300)]
    let bytes = frames.flatMap { frame in
      var wire = WireWriter()
      wire.put(frame)
      return wire.bytes
    }
    var buffer = FrameBuffer()
    var arrived: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      buffer.append(bytes[start..<min(bytes.count, start + step)])
      while let frame = try buffer.next() { arrived.append(frame) }
    }
    #expect(arrived == frames)
    #expect(buffer.isEmpty)
  }

  @Test func `A frame that announces too much is refused at once`() {
    var buffer = FrameBuffer()
    buffer.append([0xFF, 0xFF, 0xFF, 0x7F])
    #expect(throws: WireError.self) { try buffer.next() }
  }
}
